"""F32: where the client of today finds the metadata of an observation."""

from openenv import GenericEnvClient


def test_metadata_is_a_sibling_of_the_observation_when_not_empty(echo_url):
    with GenericEnvClient(base_url=echo_url).sync() as client:
        result = client.step({"message": "hi"})
        assert result.metadata == {"original_message": "hi", "step": 1}
        assert result.observation["metadata"] == result.metadata


def test_empty_metadata_is_left_out_of_the_envelope(echo_url):
    with GenericEnvClient(base_url=echo_url).sync() as client:
        result = client.reset()
        assert result.metadata is None
        assert result.observation["metadata"] == {}
