"""Our load generator measures both servers, and reads what they say."""

import json
import os
import subprocess

import pytest
from server_process import PROXY_VARIABLES, our_program

HANG_BOUND_S = 100
ECHO = ("--step", '{"message":"hello"}', "--expect", "hello")


def bench(url, *options):
    """The report of a run, and its exit code."""
    surroundings = {
        name: value for name, value in os.environ.items() if name.lower() not in PROXY_VARIABLES
    }
    run = subprocess.run(
        [our_program(), "bench", url, "--json", *options],
        capture_output=True,
        text=True,
        env=surroundings,
        timeout=HANG_BOUND_S,
    )
    assert run.stdout, run.stderr
    return json.loads(run.stdout), run.returncode


def test_sessions_of_a_run_step_to_the_end_and_close(echo_url):
    report, code = bench(echo_url, "--sessions", "8", "--steps", "5", *ECHO)
    assert code == 0, report
    assert report["sessions"] == {"asked": 8, "opened": 8, "completed": 8, "success_rate": 1.0}
    assert report["steps"] == 40
    assert report["latency_us"]["step"]["count"] == 40
    assert report["failures"] == []


def test_an_action_is_made_up_from_the_schema(echo_url):
    report, code = bench(echo_url, "--steps", "3", "--payload", "100", "--expect", "x" * 100)
    assert code == 0, report


def test_sessions_that_start_together_each_take_their_step(echo_url):
    report, code = bench(echo_url, "--sessions", "16", "--steps", "1", "--storm", *ECHO)
    assert code == 0, report
    assert report["latency_us"]["session"]["count"] == 16


def test_a_full_server_refuses_by_capacity(start_server):
    server = start_server("echo", max_concurrent_envs=2)
    report, code = bench(server.url, "--sessions", "4", "--steps", "2", *ECHO)
    assert code == 1
    assert report["sessions"]["completed"] == 2
    assert sum(failure["count"] for failure in report["failures"]) == 2
    assert {failure["reason"] for failure in report["failures"]} <= {"capacity", "closed"}


def test_an_action_that_is_refused_is_an_error_frame(echo_url):
    report, code = bench(echo_url, "--steps", "1", "--step", '{"nonsense":1}')
    assert code == 1
    assert report["failures"][0]["reason"] == "error_frame"
    assert report["failures"][0]["code"] == "VALIDATION_ERROR"


@pytest.mark.reference_only
def test_a_server_without_the_extension_carries_no_batches(echo_url):
    report, code = bench(echo_url, "--batch", "4", "--steps", "1", *ECHO)
    assert code == 1
    assert report["failures"][0]["reason"] == "upgrade_refused"
    assert "'batch'" in report["failures"][0]["example"]
