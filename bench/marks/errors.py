class BenchError(Exception):
    """Something that makes a measurement void; the text says what."""


class Missing(BenchError):
    """What a row needs is not there, so that it cannot be measured at all."""
