"""Our C++ client, driven from here: `openenv_client_peer` makes the calls that it is told to."""

import json
import subprocess
from typing import Any

from server_process import TalkingProcess, our_program

FACES = {"ours, coroutines": "coroutines", "ours, blocking": "blocking"}
ANSWER_BOUND_S = 120.0  # bounds a hang; every call ends by itself, at the latest by its time limit


class CallFailed(Exception):
    """What a call of our client threw; `kind` is the class of the exception."""

    def __init__(self, error: dict[str, Any]):
        super().__init__(f"{error['kind']}: {error['message']}")
        self.kind: str = error["kind"]
        self.code: str = error["code"]
        self.message: str = error["message"]
        self.phase: str = error["phase"]
        self.server_code: str = error["server_code"]
        self.errors: list[dict[str, Any]] = error["errors"]


def result_of(outcome: dict[str, Any]) -> Any:
    if "error" in outcome:
        raise CallFailed(outcome["error"])
    return outcome["result"]


class NativeClient(TalkingProcess):
    """A process with one client, "main", and the sessions that it opens."""

    def __init__(self, url: str, face: str, types: str = "generic", **options: object):
        command = [our_program("openenv_client_peer"), url, "--face", face, "--client", types]
        for name, value in options.items():
            command += ["--" + name.replace("_", "-"), str(value)]
        self.face = face
        super().__init__(command, stdin=subprocess.PIPE)

    def call(self, op: str, **fields: Any) -> Any:
        """Makes a call and returns its result.  Raises CallFailed with what it threw."""
        self.process.stdin.write(json.dumps({"op": op, **fields}) + "\n")
        self.process.stdin.flush()
        line = self._lines.get(timeout=ANSWER_BOUND_S)
        if line is None:
            raise RuntimeError(f"the client's program ended: {self.log}")
        return result_of(json.loads(line))

    def together(self, calls: list[dict[str, Any]]) -> list[Any]:
        """Makes all calls at once; an outcome is a result, or the CallFailed itself."""
        outcomes = []
        for outcome in self.call("together", calls=calls):
            try:
                outcomes.append(result_of(outcome))
            except CallFailed as failure:
                outcomes.append(failure)
        return outcomes

    def reset(self, client: str = "main", **arguments: Any) -> dict[str, Any]:
        return self.call("reset", client=client, arguments=arguments)

    def step(self, message: str, client: str = "main", **fields: Any) -> dict[str, Any]:
        return self.call("step", client=client, arguments={"message": message}, **fields)

    def state(self, client: str = "main") -> dict[str, Any]:
        return self.call("state", client=client)

    def end(self) -> None:
        """Ends the program, which destroys its clients, and checks that it ended well."""
        if self.process.poll() is None:
            self.process.stdin.close()
        try:
            status = self.process.wait(timeout=ANSWER_BOUND_S)
        finally:
            self.process.kill()
            self._finish_readers()
        if status != 0:
            raise RuntimeError(f"the client's program ended with {status}: {self.log}")
