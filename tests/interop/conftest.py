"""Fixtures: the servers under test. Who they are is said by OPENENV_SERVER, see server_process.

Tests marked `matter` fill the table of docs/interoperability.md: OPENENV_PAIRS names a file for
what came of them.
"""

import json
import os
from contextlib import ExitStack
from pathlib import Path

import pytest
from server_process import ServerProcess, our_program, server_kind


def pytest_configure(config):
    try:
        if server_kind() == "ours":
            our_program()  # without the program nothing here means anything
    except (RuntimeError, ValueError) as problem:
        raise pytest.UsageError(str(problem)) from None
    if "OPENENV_PAIRS" in os.environ:
        config.pluginmanager.register(PairRecorder(Path(os.environ["OPENENV_PAIRS"])))


def pytest_report_header(config):
    program = our_program() if server_kind() == "ours" else "the Python reference"
    return f"server under test: {program}"


def pytest_collection_modifyitems(config, items):
    """What one of the servers does not have is deselected, and counted as such."""
    lacking = "reference_only" if server_kind() == "ours" else "ours_only"
    deselected = [item for item in items if item.get_closest_marker(lacking)]
    items[:] = [item for item in items if item not in deselected]
    config.hook.pytest_deselected(items=deselected)


class PairRecorder:
    """Notes what came of each test that shows a matter with a client."""

    def __init__(self, path):
        self.path = path
        self.outcomes = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        report = yield
        matter = item.get_closest_marker("matter")
        if matter:
            outcome = self.outcomes.setdefault(
                item.nodeid,
                {
                    "client": item.callspec.params["peer"],
                    "server": server_kind(),
                    "matter": matter.args[0],
                    "cell": "not run",
                },
            )
            if not report.passed:
                outcome["cell"] = "fails"
            elif report.when == "call":
                outcome["cell"] = dict(report.user_properties).get("cell", "yes")
        return report

    def pytest_sessionfinish(self):
        self.path.write_text(json.dumps([*self.outcomes.values()], indent=1))


@pytest.fixture(scope="session")
def start_shared_server():
    """Starts servers that many tests use; ends them after the last."""
    with ExitStack() as servers:
        yield lambda environment: servers.enter_context(ServerProcess(environment))


@pytest.fixture(scope="session")
def echo_url(start_shared_server):
    return start_shared_server("echo").url


@pytest.fixture(scope="session")
def wordle_url(start_shared_server):
    return start_shared_server("wordle").url


@pytest.fixture
def start_server():
    """Starts further servers, with settings of their own; ends them after the test."""
    servers = []

    def start(environment="echo", **settings):
        servers.append(ServerProcess(environment, **settings))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()
