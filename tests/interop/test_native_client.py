"""Our own client, in both of its faces, as it plays on each of the two servers."""

import os
import threading

import pytest
from native_client import FACES, CallFailed, NativeClient
from server_process import server_kind

READY = "Echo environment ready!"
MIB = 1024 * 1024
RETRY_BOUND = 10_000  # bounds a hang: a place that is given back is free within a few tries
# For what has nothing to do with types, and starts servers, which takes its time.
ONE_KIND = pytest.mark.parametrize("types", ["generic"])
TEXTS = ["hi", "", "Zoë 😀", "nul \0 inside", "twelve chars", '"quoted" \\ \n', "\u2028"]


@pytest.fixture(params=FACES)
def peer(request):
    return request.param


@pytest.fixture(params=["generic", "typed"])
def types(request):
    return request.param


@pytest.fixture
def play(peer, types):
    """Makes clients of the face and the types under test; ends them after the test."""
    clients = []

    def make(url, **options):
        clients.append(NativeClient(url, FACES[peer], types, **options))
        return clients[-1]

    yield make
    for client in clients:
        client.end()


@pytest.fixture(scope="session")
def faults_url(start_shared_server):
    return start_shared_server("faults").url


@pytest.fixture
def pipe(tmp_path):
    """A named pipe on which an environment can be made to wait; released after the test."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    yield path
    both_ends = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    path.unlink()  # who comes too late finds nothing to wait at
    os.close(both_ends)  # who waits finds it ended


def fails(call, *arguments, **fields):
    with pytest.raises(CallFailed) as failure:
        call(*arguments, **fields)
    return failure.value


def refused(call, *arguments, **fields):
    failure = fails(call, *arguments, **fields)
    assert (failure.kind, failure.code) == ("CapacityReached", "capacity_reached")
    assert failure.server_code == "CAPACITY_REACHED"
    assert "Server at capacity" in failure.message


def lost(call, *arguments, **fields):
    failure = fails(call, *arguments, **fields)
    assert (failure.kind, failure.code) == ("SessionLost", "session")
    return failure


def reset_once_there_is_room(player, **arguments):
    """A server gives places back in the background."""
    for _ in range(RETRY_BOUND):
        try:
            return player.reset(**arguments)
        except CallFailed as failure:
            assert failure.kind == "CapacityReached", failure
    raise AssertionError("the place was never given back")


@pytest.mark.matter("episode")
def test_episode(play, echo_url):
    client = play(echo_url)
    ready = client.reset(seed=7, episode_id="e1")
    assert ready["observation"]["echoed_message"] == READY
    assert (ready["reward"], ready["done"], ready["metadata"]) == (0.0, False, None)
    for count, text in enumerate(TEXTS, start=1):
        result = client.step(text)
        assert result["observation"]["echoed_message"] == text
        assert result["observation"]["message_length"] == len(text)
        assert result["reward"] == min(len(text) * 0.1, 1.0)
        assert result["done"] is False
        assert result["metadata"] == {"original_message": text, "step": count}
        assert result["observation"]["metadata"] == result["metadata"]
        assert client.state() == {"episode_id": "e1", "step_count": count}
    client.call("close")


@ONE_KIND
def test_many_sessions_as_one_object(play, echo_url):
    steps = [["a", "b", "c"], ["d", None, "f"], ["g", "h", "i"]]
    seen = play(echo_url).call("vector", steps=steps)
    assert seen == [["a", "b", "c"], ["d", "VALIDATION_ERROR", "f"], ["g", "h", "i"]]


@pytest.mark.matter("episode")
def test_reset_begins_a_new_episode(play, echo_url):
    client = play(echo_url)
    for name in ("first", "second"):
        client.reset(episode_id=name)
        client.step("hi")
        assert client.state() == {"episode_id": name, "step_count": 1}


def test_step_needs_no_reset(play, echo_url):
    client = play(echo_url)
    assert client.step("hi")["reward"] == 0.2
    assert client.state()["step_count"] == 1


@pytest.mark.matter("typed")
@pytest.mark.parametrize("types", ["typed"])
def test_typed_observation_tells_reward_and_done_as_well(play, echo_url):
    client = play(echo_url)
    client.reset()
    assert client.step("hello")["observation"] == {
        "done": False,
        "reward": 0.5,
        "metadata": {"original_message": "hello", "step": 1},
        "echoed_message": "hello",
        "message_length": 5,
    }


@pytest.mark.matter("typed")
@pytest.mark.parametrize("types", ["typed"])
def test_typed_client_passes_over_what_it_does_not_know_and_warns_once(play, faults_url):
    client = play(faults_url)
    client.reset()
    assert "note" not in client.step("hi")["observation"]
    client.end()
    assert len(client.log) == 1
    assert "EchoObservation does not know; passing over them: note" in client.log[0]


@ONE_KIND
def test_generic_client_sees_all(play, faults_url):
    client = play(faults_url)
    assert client.reset()["observation"]["note"].startswith("more than a client")
    client.end()
    assert client.log == []


@pytest.mark.matter("state")
def test_keys_of_a_state_that_no_type_describes(play, faults_url):
    client = play(faults_url)
    client.reset(episode_id="e")
    assert client.state() == {
        "episode_id": "e",
        "step_count": 0,
        "visits": ["first", None, 2.5],
    }


@pytest.mark.parametrize("seed", [0, -5, 2**63 - 1, -(2**63)])
def test_seeds(play, echo_url, seed):
    assert play(echo_url).reset(seed=seed)["observation"]["echoed_message"] == READY


def test_reset_arguments_of_the_environments_own(play, faults_url):
    client = play(faults_url)
    failure = fails(client.reset, fault="asked to: Zoë 😀")
    assert failure.kind == "ExecutionFailed"
    assert "asked to: Zoë 😀" in failure.message
    assert client.reset()["done"] is False


@pytest.mark.matter("episode")
def test_done_with_its_metadata(play, faults_url):
    client = play(faults_url)
    client.reset()
    result = client.step("done")
    assert (result["done"], result["metadata"]) == (True, {"why": "asked to"})
    assert client.step("hi")["done"] is False


@pytest.mark.matter("episode")
@pytest.mark.parametrize(
    "name,value", [("nan", None), ("inf", None), ("none", None), ("true", True), ("7", 7)]
)
def test_rewards_keep_their_kind(play, faults_url, name, value):
    """A number that JSON has not arrives as null, from both servers."""
    client = play(faults_url)
    client.reset()
    reward = client.step(f"reward:{name}")["reward"]
    assert (type(reward), reward) == (type(value), value)
    assert client.step("hi")["reward"] is None


@pytest.mark.matter("errors")
def test_action_that_does_not_fit(play, echo_url):
    client = play(echo_url)
    client.reset(episode_id="e")
    failure = fails(client.call, "step", arguments={"message": "hi", "metadata": 5})
    assert (failure.kind, failure.code) == ("ValidationFailed", "validation")
    assert failure.server_code == "VALIDATION_ERROR"
    [error] = failure.errors
    assert (error["type"], error["loc"], error["input"]) == ("dict_type", ["metadata"], 5)
    assert error["msg"] == "Input should be a valid dictionary"
    assert client.state() == {"episode_id": "e", "step_count": 0}
    assert client.step("hi")["metadata"]["step"] == 1


@pytest.mark.matter("errors")
@ONE_KIND
@pytest.mark.parametrize(
    "action,expected",
    [
        ({"message": "hi", "bogus": 1}, [("extra_forbidden", ["bogus"])]),
        ({"mesage": "hi"}, [("missing", ["message"]), ("extra_forbidden", ["mesage"])]),
        ({"message": 5}, [("string_type", ["message"])]),
        ({"message": None}, [("string_type", ["message"])]),
        ({"message": [["deep"] * 3] * 3}, [("string_type", ["message"])]),
        ({}, [("missing", ["message"])]),
    ],
)
def test_actions_that_only_json_can_say(play, echo_url, action, expected):
    client = play(echo_url)
    client.reset(episode_id="e")
    failure = fails(client.call, "step", arguments=action)
    assert failure.kind == "ValidationFailed"
    assert [(error["type"], error["loc"]) for error in failure.errors] == expected
    assert client.state() == {"episode_id": "e", "step_count": 0}
    assert client.step("hi")["reward"] == 0.2


def test_lone_surrogate_is_refused_and_the_session_goes_on(play, echo_url):
    """Ours refuses it as an action; the Python server fails to write the answer."""
    client = play(echo_url)
    client.reset(episode_id="e")
    failure = fails(client.step, "\ud800")
    if server_kind() == "ours":
        assert failure.kind == "ValidationFailed"
        assert [error["type"] for error in failure.errors] == ["string_unicode"]
    else:
        assert failure.kind == "ExecutionFailed"
    assert client.step("hi")["reward"] == 0.2
    assert client.state()["episode_id"] == "e"


@pytest.mark.matter("errors")
def test_environment_that_raises(play, faults_url):
    client = play(faults_url)
    client.reset(episode_id="e")
    failure = fails(client.step, "raise:on purpose: Zoë 😀")
    assert (failure.kind, failure.code) == ("ExecutionFailed", "execution")
    assert failure.server_code == "EXECUTION_ERROR"
    assert "on purpose: Zoë 😀" in failure.message
    assert failure.errors == []
    assert client.step("hi")["observation"]["echoed_message"] == "hi"
    assert (client.state()["episode_id"], client.state()["step_count"]) == ("e", 2)


@pytest.mark.matter("capacity")
@pytest.mark.parametrize("op", ["reset", "step", "state"])
@ONE_KIND
def test_full_server_refuses_every_first_call(play, start_server, op):
    url = start_server(max_concurrent_envs=1).url
    holder, late = play(url), play(url)
    holder.reset(episode_id="held")
    for _ in range(3):
        refused(late.call, op, arguments={"message": "hi"} if op == "step" else {})
    assert holder.state() == {"episode_id": "held", "step_count": 0}
    holder.call("close")
    reset_once_there_is_room(late, episode_id="late")
    assert late.state() == {"episode_id": "late", "step_count": 0}


@pytest.mark.matter("capacity")
@ONE_KIND
def test_full_server_and_who_connects_first(play, start_server):
    """A refusal comes after the connection; the first call that asks something tells it."""
    url = start_server(max_concurrent_envs=1).url
    holder, late = play(url), play(url)
    holder.reset()
    late.call("connect")
    refused(late.reset)
    holder.call("close")
    reset_once_there_is_room(late)
    assert late.step("hi")["reward"] == 0.2


@pytest.mark.matter("capacity")
@ONE_KIND
def test_full_server_and_new_sessions(play, start_server):
    url = start_server(max_concurrent_envs=1).url
    client = play(url)
    client.reset(episode_id="parent")
    client.call("new_session", **{"as": "child"})
    refused(client.reset, client="child")
    assert client.state() == {"episode_id": "parent", "step_count": 0}


@pytest.mark.matter("capacity")
@pytest.mark.parametrize("end", ["close", "disconnect", "destroy"])
@ONE_KIND
def test_place_is_free_again(play, start_server, end):
    url = start_server(max_concurrent_envs=1).url
    holder, late = play(url), play(url)
    holder.reset()
    refused(late.reset)
    holder.call(end, client="main")
    reset_once_there_is_room(late)
    assert late.step("hi")["metadata"]["step"] == 1


@pytest.mark.matter("children")
def test_sixteen_sessions_at_once(play, echo_url):
    client = play(echo_url)
    client.reset(episode_id="parent")
    names = [f"child {number}" for number in range(16)]
    client.together([{"op": "new_session", "as": name} for name in names])

    def ask_all(op, arguments_of):
        return client.together(
            [{"op": op, "client": name, "arguments": arguments_of(name)} for name in names]
        )

    ask_all("reset", lambda name: {"episode_id": name})
    for _ in range(3):
        results = ask_all("step", lambda name: {"message": name})
        assert [result["observation"]["echoed_message"] for result in results] == names
    states = ask_all("state", lambda name: {})
    assert states == [{"episode_id": name, "step_count": 3} for name in names]
    assert client.state() == {"episode_id": "parent", "step_count": 0}


@pytest.mark.matter("children")
@ONE_KIND
def test_close_ends_the_children_too(play, start_server):
    url = start_server(max_concurrent_envs=2).url
    client, late = play(url), play(url)
    client.reset()
    client.call("new_session", **{"as": "child"})
    client.reset(client="child")
    refused(late.reset)
    client.call("close")
    reset_once_there_is_room(late)
    late.call("new_session", **{"as": "child"})
    reset_once_there_is_room(late, client="child")


@pytest.mark.matter("restart")
@pytest.mark.parametrize("end", ["kill", "stop"])
@ONE_KIND
def test_server_that_goes_and_comes_back(play, start_server, end):
    server = start_server()
    client = play(server.url)
    client.reset(episode_id="before")
    client.step("hi")
    getattr(server, end)()
    lost(client.step, "hi")
    lost(client.state)
    failure = fails(client.reset)
    assert (failure.kind, failure.phase) == ("ConnectFailed", "connecting")
    start_server(port=server.port)
    lost(client.step, "hi")
    assert client.reset(episode_id="after")["observation"]["echoed_message"] == READY
    assert client.state() == {"episode_id": "after", "step_count": 0}


@pytest.mark.matter("restart")
@ONE_KIND
def test_reconnect_always_goes_on_without_a_reset(play, start_server):
    server = start_server()
    client = play(server.url, reconnect="always")
    client.reset(episode_id="before")
    server.kill()
    failure = fails(client.step, "hi")
    assert failure.kind in ("SessionLost", "ConnectFailed")  # as it knew before, or not
    start_server(port=server.port)
    assert client.step("hi")["metadata"]["step"] == 1
    assert client.state()["episode_id"] != "before"


def test_call_that_takes_too_long(play, faults_url, pipe):
    client = play(faults_url)
    client.reset(episode_id="before")
    failure = fails(client.step, f"wait:{pipe}", timeout_ms=200)
    assert (failure.kind, failure.code) == ("Timeout", "timeout")
    if server_kind() == "ours":  # has heard of the limit, and given the environment up
        assert failure.phase in ("stepping", "running")  # by the client's clock or the server's
        assert "reset starts a new one" in fails(client.step, "hi").message
    else:
        assert failure.phase == "stepping"
        lost(client.step, "hi")
        lost(client.state)
    assert client.reset(episode_id="after")["done"] is False
    assert client.step("hi")["observation"]["echoed_message"] == "hi"
    assert client.state()["episode_id"] == "after"


def test_reconnect_always_after_a_call_that_took_too_long(play, faults_url, pipe):
    client = play(faults_url, reconnect="always", message_timeout_ms=5000)
    client.reset(episode_id="before")
    assert fails(client.step, f"wait:{pipe}", timeout_ms=200).kind == "Timeout"
    assert client.step("hi")["observation"]["echoed_message"] == "hi"
    assert client.state()["step_count"] == 1


def test_answer_within_the_time_is_waited_for(play, faults_url, pipe):
    client = play(faults_url)
    client.reset()
    release = threading.Thread(target=pipe.write_bytes, args=(b"",))  # meets who reads
    release.start()
    assert client.step(f"wait:{pipe}")["observation"]["echoed_message"] == f"wait:{pipe}"
    release.join()


def test_large_answers(play, faults_url):
    client = play(faults_url)
    client.reset()
    text = client.step(f"repeat:{20 * MIB}")["observation"]["echoed_message"]
    assert len(text) == 20 * MIB and set(text) == {"x"}


def test_answer_over_the_clients_limit(play, faults_url):
    client = play(faults_url, max_message_bytes=MIB)
    client.reset()
    assert len(client.step(f"repeat:{MIB // 2}")["observation"]["echoed_message"]) == MIB // 2
    failure = lost(client.step, f"repeat:{2 * MIB}")
    assert failure.phase == "stepping"
    lost(client.state)
    client.reset()
    assert client.step("hi")["observation"]["echoed_message"] == "hi"


def test_action_over_the_servers_limit(play, echo_url):
    """Both servers take 16 MiB, and close the connection that brings more."""
    client = play(echo_url)
    client.reset()
    assert client.step("x" * (10 * MIB))["observation"]["message_length"] == 10 * MIB
    lost(client.step, "x" * (17 * MIB))
    lost(client.state)
    assert client.reset()["observation"]["echoed_message"] == READY


@ONE_KIND
def test_close_in_the_midst_of_an_action_is_told_with_its_code(play, echo_url):
    client = play(echo_url)
    client.reset()
    assert "1009" in lost(client.step, "x" * (17 * MIB)).message


@pytest.mark.parametrize("url_form", ["{}", "{}/", "{}//", "ws://{host}", "HTTP://{host}", "{host}"])
@ONE_KIND
def test_every_form_of_url(play, echo_url, url_form):
    url = url_form.format(echo_url, host=echo_url.removeprefix("http://"))
    client = play(url)
    assert client.reset()["observation"]["echoed_message"] == READY


@ONE_KIND
def test_path_that_the_server_does_not_have(play, echo_url):
    failure = fails(play(f"{echo_url}/elsewhere").reset)
    assert failure.kind == "ConnectFailed"
    assert "/elsewhere/ws" in failure.message


@ONE_KIND
def test_no_server(play, start_server):
    server = start_server()
    server.stop()
    failure = fails(play(server.url).reset)
    assert (failure.kind, failure.phase) == ("ConnectFailed", "connecting")
    assert failure.message.startswith("Failed to connect to ws://127.0.0.1:")


def test_client_can_be_closed_twice_and_used_again(play, echo_url):
    client = play(echo_url)
    client.call("close")
    for _ in range(2):
        client.step("hi")
        assert client.state()["step_count"] == 1
        client.call("close")
        client.call("close")


def test_connect_and_disconnect(play, echo_url):
    client = play(echo_url)
    for _ in range(2):
        client.call("connect")
        client.call("connect")
        client.step("hi")
        assert client.state()["step_count"] == 1
        client.call("disconnect")
        client.call("disconnect")


def test_calls_begun_at_once_are_answered_in_their_order(play, echo_url):
    client = play(echo_url)
    client.reset()
    texts = [str(number) for number in range(50)]
    results = client.together([{"op": "step", "arguments": {"message": text}} for text in texts])
    assert [result["observation"]["echoed_message"] for result in results] == texts
    steps = [result["metadata"]["step"] for result in results]
    assert sorted(steps) == list(range(1, 51))
    if client.face == "coroutines":
        assert steps == sorted(steps)  # threads begin in any order
