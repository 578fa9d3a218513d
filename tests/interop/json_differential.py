"""Compares our JSON reader with Python's json on generated inputs.

Usage: json_differential.py PROBE [--count N] [--seed S]

PROBE is the program built from tests/support/json_probe.cpp. Both sides must take or refuse every
input, give the same value, and name the same error at the same place (the place and the words only
with Python before 3.13, which changed them). The differences that are meant: bytes that are not
UTF-8 are refused by us and never shown to Python, and the depth and the number of digits that are
too much have their own messages.
"""

import argparse
import json
import random
import struct
import subprocess
import sys

SAME_WORDS = sys.version_info < (3, 13)

ATOMS = [
    "null", "true", "false", "NaN", "Infinity", "-Infinity", "0", "-0", "1", "-1", "0.0", "-0.0",
    "1.5", "1e5", "1E-5", "1e400", "-1e400", "1e-400", "5e-324", "1.7976931348623157e308",
    "1.7976931348623159e308", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "-9223372036854775809", "18446744073709551615", "18446744073709551616", "1" * 400, "0.1",
    "123456789012345678901234567890.5", "2.2250738585072011e-308", '""', '"abc"', '"\\u0000"',
    '"\\ud800"', '"\\udc00\\ud800"', '"\\ud83d\\ude00"', '"\\ud83d\\ud83d\\ude00"', '"\\ud83dx"',
    '"\u00e9\u20ac\U0001f600"', '"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\x7f"', '"/"', '"' + "x" * 100 + '"',
]
BROKEN = [
    "", " ", "-", "+1", "01", "1.", ".5", "1e", "1e+", "--1", "0x1", "-NaN", "-Inf", "Infinit", "nul",
    "tru", "nan", "'a'", '"', '"a', '"\\', '"\\x"', '"\\u"', '"\\u12"', '"\\u12g4"', '"\\ud83d\\u12"',
    '"\\ud83d\\u', '"\\ud83d\\', '"\\ud83d', '"\n"', '"\t"', '"\x00"', '"\x1f"', "[", "]", "[1", "[1,",
    "[1,]", "[,1]", "[1 2]", "[1}", "{", "}", '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', "{,}",
    '{"a" 1}', "{a:1}", "{1:1}", '{"a":1]', '{"a":1 "b":2}', "//", "/* */1", "1 2", "1,", "[]]", "{}}",
    "\ufeff1", "\ufeff", "\u00a01", "\u20281", "\x0b1", "\x0c1", "\x001", "1\x00", "[\u00e9]", "\u00e9",
    '["\u00e9" x]', '"\u00e9\\x"', "\n\n[\n1,\n x]", '{"\u00e9":1,\n"b"}', "True", "None", "undefined",
    '{"a":1,"a":2}', '{"a":1,"b":2,"a":{"c":1,"c":2}}', "[[[[[[]]]]]]", '{"":{"":{"":{}}}}', "1" * 4300,
    "-" + "9" * 4300, "1e" + "9" * 50, "1e-" + "9" * 50, "0." + "0" * 400 + "1e400", "0e" + "9" * 30,
]
BLANKS = ["", "", "", " ", "\n", "\t", "\r", "  \n"]
SPLINTERS = list('{}[]:,"\\ \n01-+.eEuntfNI/') + ["\\u", "\\ud83d", "\u00e9", "\U0001f600", "\x00", "\x1f", "\ufeff"]


def random_text(rng, depth):
    """A JSON text, most of the time a correct one."""
    blank = rng.choice(BLANKS)
    kind = rng.random()
    if depth == 0 or kind < 0.4:
        return blank + random_atom(rng) + rng.choice(BLANKS)
    parts = [random_text(rng, depth - 1) for _ in range(rng.randrange(4))]
    if kind < 0.7:
        return blank + "[" + ",".join(parts) + "]" + rng.choice(BLANKS)
    keys = [rng.choice(BLANKS) + random_string(rng) + rng.choice(BLANKS) for _ in parts]
    return blank + "{" + ",".join(k + ":" + p for k, p in zip(keys, parts)) + "}" + rng.choice(BLANKS)


def random_atom(rng):
    kind = rng.randrange(5)
    if kind == 0:
        return rng.choice(ATOMS)
    if kind == 1:
        return str(rng.randrange(-(10 ** rng.randrange(1, 25)), 10 ** rng.randrange(1, 25)))
    if kind == 2:
        value = struct.unpack("<d", rng.randbytes(8))[0]
        return json.dumps(value)
    if kind == 3:
        whole = str(rng.randrange(10 ** rng.randrange(1, 30)))
        return "%s.%s%s" % (whole, rng.randrange(10**6), rng.choice(["", "e%d" % rng.randrange(-330, 310)]))
    return random_string(rng)


def random_string(rng):
    letters = "ab \u00e9\u20ac\U0001f600/\x7f"
    escapes = ["\\n", '\\"', "\\\\", "\\u0041", "\\u00e9", "\\ud83d\\ude00", "\\ud83d", "\\ude00", "\\/"]
    parts = [rng.choice(escapes) if rng.random() < 0.2 else rng.choice(letters) for _ in range(rng.randrange(40))]
    return '"' + "".join(parts) + '"'


def mutate(rng, text):
    """The text with a few places removed, doubled, replaced or inserted."""
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(text) + 1)
        end = min(len(text), at + rng.randrange(1, 4))
        kind = rng.randrange(4)
        if kind == 0:
            text = text[:at] + text[end:]
        elif kind == 1:
            text = text[:at] + rng.choice(SPLINTERS) + text[at:]
        elif kind == 2:
            text = text[:at] + rng.choice(SPLINTERS) + text[end:]
        else:
            text = text[:end] + text[at:]
    return text


def inputs(count, seed):
    yield from ATOMS
    yield from BROKEN
    for atom in ATOMS + BROKEN:
        yield "[%s]" % atom
        yield '{"k":%s}' % atom
        yield ' {"a":[%s,1],"b":%s}\n' % (atom, atom)
    for depth in (1, 10, 500, 900):
        yield "[" * depth + "]" * depth
        yield '{"a":' * depth + "1" + "}" * depth
        yield "[" * depth
    rng = random.Random(seed)
    for _ in range(count):
        text = random_text(rng, rng.randrange(5))
        yield text if rng.random() < 0.3 else mutate(rng, text)


def encode(text):
    """The text as the probe prints it: its bytes in hexadecimal, lone surrogates included."""
    return '"' + text.encode("utf-8", "surrogatepass").hex() + '"'


def show(value):
    if isinstance(value, str):
        return encode(value)
    if isinstance(value, list):
        return "[" + ",".join(map(show, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(encode(k) + ":" + show(v) for k, v in value.items()) + "}"
    return json.dumps(value)


def expected(text):
    try:
        return "ok " + show(json.loads(text))
    except json.JSONDecodeError as error:
        return "error %d %s" % (error.pos, error)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("probe")
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sys.setrecursionlimit(10000)  # for show(); no input is deep enough for Python's own limit

    # Lone surrogates, which no UTF-8 holds, can only come in as escapes.
    texts = [t for t in inputs(options.count, options.seed) if not any("\ud800" <= c <= "\udfff" for c in t)]
    feed = b"".join(b"%d\n%s" % (len(raw), raw) for raw in (t.encode() for t in texts))
    answers = subprocess.run([options.probe], input=feed, stdout=subprocess.PIPE, check=True).stdout
    lines = answers.decode().split("\n")[:-1]
    if len(lines) != len(texts):
        sys.exit("the probe answered %d of %d inputs" % (len(lines), len(texts)))

    different = 0
    refused = 0
    for text, ours in zip(texts, lines):
        theirs = expected(text)
        refused += theirs.startswith("error")
        if not SAME_WORDS and theirs.startswith("error") and ours.startswith("error"):
            continue
        if ours != theirs:
            different += 1
            if different <= 20:
                print("input  %r\npython %s\nours   %s\n" % (text[:300], theirs[:300], ours[:300]))
    print("%d inputs, %d refused by both, %d different" % (len(texts), refused, different))
    sys.exit(different != 0)


if __name__ == "__main__":
    main()
