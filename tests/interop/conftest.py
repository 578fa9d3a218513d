"""Fixtures: the servers under test. Who they are is said by OPENENV_SERVER, see server_process."""

import pytest
from server_process import ServerProcess, our_program, server_kind


def pytest_configure(config):
    try:
        if server_kind() == "ours":
            our_program()  # without the program nothing here means anything
    except (RuntimeError, ValueError) as problem:
        raise pytest.UsageError(str(problem)) from None


def pytest_report_header(config):
    program = our_program() if server_kind() == "ours" else "the Python reference"
    return f"server under test: {program}"


def pytest_collection_modifyitems(config, items):
    """What one of the servers does not have is deselected, and counted as such."""
    lacking = "reference_only" if server_kind() == "ours" else "ours_only"
    deselected = [item for item in items if item.get_closest_marker(lacking)]
    items[:] = [item for item in items if item not in deselected]
    config.hook.pytest_deselected(items=deselected)


@pytest.fixture(scope="session")
def echo_url():
    with ServerProcess("echo") as server:
        yield server.url


@pytest.fixture(scope="session")
def wordle_url():
    with ServerProcess("wordle") as server:
        yield server.url


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
