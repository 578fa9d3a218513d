"""What peers do in an environment, and what they must read: one class for each environment."""

import dataclasses
import pathlib
import random
from typing import Any, Optional


@dataclasses.dataclass(frozen=True)
class Game:
    """Has no memory: the answer to a step follows from its action alone."""

    name: str

    def command(self, program: pathlib.Path) -> Optional[list[str]]:
        """How to serve it; `program` is `openenv`, the others lie beside it, or are missing."""
        if self.name == "echo":
            return [str(program), "serve", "echo"]
        beside = program.with_name(
            {"faults": "openenv_faults_env", "eggs": "example_egg_timer"}[self.name]
        )
        return [str(beside)] if beside.exists() else None

    def action(self, choice: random.Random) -> dict[str, Any]:
        if self.name == "eggs":
            return {"milliseconds": choice.choice([1, 2, 5, 20, 200])}
        return {"message": "m" * choice.choice([1, 3, 10, 100, 1000])}

    def long_action(self) -> dict[str, Any]:
        """One whose answer is large, or is a while in coming."""
        if self.name == "eggs":
            return {"milliseconds": 600000}
        if self.name == "faults":
            return {"message": "repeat:8000000"}
        return {"message": "m" * 1000000}

    def wrong(self, action: dict[str, Any], answer: dict[str, Any]) -> Optional[str]:
        """What is wrong with the answer to a step, if anything is."""
        if answer.get("type") != "observation":
            return f"a step was answered with {str(answer)[:300]}"
        observation = answer["data"]["observation"]
        if self.name == "eggs":
            fine = observation["boiled"] >= action["milliseconds"]
        else:
            fine = observation["echoed_message"] == action["message"]
        return None if fine else f"{str(action)[:100]} was answered with {str(observation)[:300]}"


GAMES = [Game("echo"), Game("eggs"), Game("faults")]


def game_named(name: str) -> Game:
    return next(game for game in GAMES if game.name == name)
