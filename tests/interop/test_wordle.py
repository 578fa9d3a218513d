"""The published clients play our Wordle: the contract of upstream's text games, seeded."""

import asyncio
import re

import pytest
from openenv import GenericEnvClient

pytestmark = [pytest.mark.ours_only, pytest.mark.any_client]

WORDS = ["crane", "moist", "lucky", "fudge", "whelp", "jumbo"]
SIGNALS = {"wordle.greens", "wordle.yellows", "wordle.repetitions", "wordle.correct"}
FEEDBACK = re.compile(r"^([A-Z](?: [A-Z]){4})\n([GYX](?: [GYX]){4})$", re.MULTILINE)


def feedback(observation):
    """The letters of the last guess and their marks."""
    transcript = "\n".join(message["content"] for message in observation["messages"])
    letters, marks = FEEDBACK.findall(transcript)[-1]
    return letters.replace(" ", "").lower(), marks.replace(" ", "")


def signals(result):
    return result.observation["info"]["reward_signals"]


def visible(result):
    """All that an agent sees of a result."""
    return result.observation, result.reward, result.done


def unsolved_seed(client):
    """A seed whose secret is none of WORDS."""
    for seed in range(20):
        client.reset(seed=seed)
        if not any(client.step({"message": f"[{word}]"}).reward == 1.0 for word in WORDS):
            return seed
    raise AssertionError("twenty seeds gave six secrets")


@pytest.fixture
def client(wordle_url):
    with GenericEnvClient(base_url=wordle_url).sync() as sync_client:
        yield sync_client


def test_reset_shows_the_rules(client):
    result = client.reset(seed=1)
    observation = result.observation
    assert (result.reward, result.done) == (0.0, False)
    assert isinstance(observation["prompt"], str) and observation["prompt"]
    assert observation["current_player_id"] == 0
    assert observation["legal_players"] == [0]
    assert isinstance(observation["info"], dict)
    for message in observation["messages"]:
        assert set(message) == {"sender_id", "content", "category"}
        assert type(message["sender_id"]) is int
        assert isinstance(message["content"], str) and isinstance(message["category"], str)
    assert set(observation["metadata"]) >= {"env_id", "turn", "raw_messages"}


def test_every_reset_starts_afresh(client):
    first = client.reset(seed=3)
    client.step({"message": "[crane]"})
    assert visible(client.reset(seed=3)) == visible(first)
    assert visible(client.reset(seed=3)) == visible(first)


def test_feedback_and_signals_agree(client):
    client.reset(seed=unsolved_seed(client))
    for number, word in enumerate(WORDS, start=1):
        result = client.step({"message": f"I try [{word}]"})
        letters, marks = feedback(result.observation)
        assert letters == word
        assert set(signals(result)) == SIGNALS
        assert signals(result)["wordle.greens"] == pytest.approx(marks.count("G") / 5)
        assert signals(result)["wordle.yellows"] == pytest.approx(marks.count("Y") / 5)
        assert signals(result)["wordle.repetitions"] == 1.0
        assert result.done is (number == 6)
        if not result.done:
            assert (result.reward, signals(result)["wordle.correct"]) == (0.0, 0.0)
    closeness = (marks.count("G") + 0.5 * marks.count("Y")) / 5
    assert result.reward == pytest.approx(closeness)
    assert signals(result)["wordle.correct"] == pytest.approx(closeness)


def test_right_word_wins(client):
    for seed in range(2000):
        client.reset(seed=seed)
        for word in WORDS:
            result = client.step({"message": f"[{word}]"})
            if result.done and result.reward == 1.0:
                assert feedback(result.observation) == (word, "GGGGG")
                assert signals(result)["wordle.correct"] == 1.0
                assert signals(result)["wordle.greens"] == 1.0
                return
    raise AssertionError("none of six common words was the secret of 2000 seeds")


def test_same_seed_same_episode(wordle_url):
    def play(seed):
        with GenericEnvClient(base_url=wordle_url).sync() as client:
            results = [client.reset(seed=seed)]
            results += [client.step({"message": f"[{word}]"}) for word in WORDS[:3]]
            return [visible(result) for result in results]

    for seed in (0, 1, 42, 2**62):
        assert play(seed) == play(seed)


def test_seeds_give_different_secrets(client):
    marks = set()
    for seed in range(30):
        client.reset(seed=seed)
        marks.add(feedback(client.step({"message": "[crane]"}).observation)[1])
    assert len(marks) > 3


def test_sessions_at_once_play_the_same_as_one_by_one(wordle_url):
    async def play(seed):
        async with GenericEnvClient(base_url=wordle_url) as client:
            results = [await client.reset(seed=seed)]
            for word in WORDS:
                results.append(await client.step({"message": f"[{word}]"}))
            return [visible(result) for result in results]

    async def at_once():
        return await asyncio.gather(*(play(seed) for seed in range(24)))

    async def one_by_one():
        return [await play(seed) for seed in range(24)]

    assert asyncio.run(at_once()) == asyncio.run(one_by_one())


def test_second_invalid_move_in_a_row_ends_the_game(client):
    client.reset(seed=5)
    assert client.step({"message": "[zzzzz]"}).done is False
    result = client.step({"message": "[toolong]"})
    assert (result.reward, result.done) == (0.0, True)


def test_valid_move_forgives_an_invalid_one(client):
    client.reset(seed=unsolved_seed(client))
    for word in WORDS[:4]:
        assert client.step({"message": "[zzzzz]"}).done is False
        assert client.step({"message": f"[{word}]"}).done is False


def test_repeated_guess_is_told_by_its_signal(client):
    client.reset(seed=unsolved_seed(client))
    assert signals(client.step({"message": "[crane]"}))["wordle.repetitions"] == 1.0
    assert signals(client.step({"message": "[crane]"}))["wordle.repetitions"] == 0.0


def test_bad_action_costs_nothing(client):
    client.reset(seed=unsolved_seed(client))
    for action in ({"guess": "crane"}, {"message": "[crane]", "bogus": 1}, {"message": 5}):
        with pytest.raises(RuntimeError, match=r"\(code: VALIDATION_ERROR\)"):
            client.step(action)
    assert client.state()["step_count"] == 0
    assert client.step({"message": "[crane]"}).done is False
    assert client.state()["step_count"] == 1


def test_state_tells_episode_and_game(client):
    client.reset(seed=1, episode_id="game 1")
    client.step({"message": "[crane]"})
    state = client.state()
    assert (state["episode_id"], state["step_count"]) == ("game 1", 1)
    assert state["num_players"] == 1
    assert state["env_id"]
