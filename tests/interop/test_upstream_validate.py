"""Upstream's `openenv validate --url` accepts the server."""

import pytest
from openenv.cli._validation import validate_running_environment


def failures(report):
    return [criterion for criterion in report["criteria"] if not criterion["passed"]]


@pytest.mark.parametrize("mode", ["simulation", "production"])
def test_echo_is_valid_in_both_modes(start_server, mode):
    report = validate_running_environment(start_server(mode=mode).url, timeout_s=60.0)
    assert failures(report) == []
    assert report["passed"] is True
    assert report["mode"] == mode
    assert report["standard_profile"] == "openenv-http/1.x"
    assert len(report["criteria"]) == 6


@pytest.mark.ours_only
def test_wordle_is_valid(wordle_url):
    report = validate_running_environment(wordle_url, timeout_s=60.0)
    assert failures(report) == []
    assert report["passed"] is True
