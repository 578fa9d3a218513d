"""F29: SIGTERM while everybody plays, to servers and to clients."""

import subprocess
import threading
import time

from check import Check, Surroundings, expect, seconds_until
from games import Game, game_named
from peer import Ended, Peer, connect, upgrade_request
from server import Server

PLAYING, IDLE, WORKING, DEAF, HALF = 48, 64, 16, 8, 8
GRACE_S = 10.0  # docs/serving.md
ALLOWANCE_S = 2.0


def _play_until_the_end(game: Game, peer: Peer, ends: list[Ended]) -> None:
    action = {"milliseconds": 1} if game.name == "eggs" else {"message": "m"}
    try:
        while True:
            peer.step(action)
    except Ended as end:
        ends.append(end)
    except OSError:
        ends.append(Ended(None))


def _under_load(server: Server, game: Game, long_steps: bool) -> str:
    address = (server.host, server.port)
    peers = [Peer(address) for _ in range(PLAYING + IDLE + WORKING)]
    for peer in peers:
        expect(peer.reset(), "no place")
    playing, idle, working = (
        peers[:PLAYING],
        peers[PLAYING : PLAYING + IDLE],
        peers[PLAYING + IDLE :],
    )
    if long_steps:
        for peer in working:
            peer.say({"type": "step", "data": game.long_action()})
    deaf = [Peer(address, receive_buffer=8192) for _ in range(DEAF)]
    for peer in deaf:
        expect(peer.reset(), "no place")
        for _ in range(3):
            peer.say({"type": "step", "data": game.long_action()})
    half = [connect(address) for _ in range(HALF)]
    for connection in half:
        connection.sendall(upgrade_request()[:40])

    ends: list[Ended] = []
    threads = [
        threading.Thread(target=_play_until_the_end, args=(game, peer, ends)) for peer in playing
    ] + [
        threading.Thread(target=lambda p=peer: ends.append(p.wait_for_end()))
        for peer in idle + working
    ]
    for thread in threads:
        thread.start()
    time.sleep(1.0)
    server.ask_to_stop()
    begin = time.monotonic()
    status = server.wait()
    took = time.monotonic() - begin
    for thread in threads:
        thread.join()
    for connection in [peer.socket for peer in deaf] + half:
        connection.close()
    codes = {code: sum(end.code == code for end in ends) for code in {end.code for end in ends}}
    seen = (
        f"exit status {status} after {took:.1f} s; {len(ends)} peers read the close codes {codes}"
    )
    expect(status == 0, f"{seen}: {server.log()[-500:]}")
    expect(took <= GRACE_S + ALLOWANCE_S, seen)
    expect(codes == {1001: PLAYING + IDLE + WORKING}, seen)
    return seen


def echo(here: Surroundings) -> str:
    with here.serve_echo() as server:
        return _under_load(server, game_named("echo"), long_steps=True)


def workers(here: Surroundings) -> str:
    with here.serve("openenv_faults_env") as server:
        return _under_load(server, game_named("faults"), long_steps=True)


def tasks(here: Surroundings) -> str:
    with here.serve("example_egg_timer") as server:
        return _under_load(server, game_named("eggs"), long_steps=False)


def tasks_of_minutes(here: Surroundings) -> str:
    with here.serve("example_egg_timer") as server:
        return _under_load(server, game_named("eggs"), long_steps=True)


def clients(here: Surroundings) -> str:
    """Programs of ours that are told to stop while calls of theirs are under way."""
    with here.serve("example_egg_timer") as server:
        start = server.figures().descriptors
        address = f"{server.host}:{server.port}"
        in_a_step = [
            [str(here.openenv), "step", address, '{"milliseconds":600000}', "--timeout", "700"],
            [str(here.openenv), "bench", address, "--sessions", "32", "--duration", "600"]
            + ["--step", '{"milliseconds":100}'],
            [str(here.openenv), "play", address],
        ]
        processes = [
            subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            for command in in_a_step
        ]
        busy = seconds_until(lambda: server.figures().descriptors >= start + 30, 10.0)
        time.sleep(0.5)
        for process in processes:
            process.terminate()
        took = []
        for process in processes:
            begin = time.monotonic()
            process.wait(timeout=60)
            took.append(time.monotonic() - begin)
            process.stdin.close()
        statuses = [process.returncode for process in processes]
        seen = f"`openenv step`, `bench` and `play` ended with {statuses}, the last after {sum(took):.1f} s"
        expect(busy is not None, "the clients did not begin to play")
        expect(sum(took) <= GRACE_S, seen)
        gone = seconds_until(lambda: server.figures().descriptors == start, 5.0)
        expect(gone is not None, f"{seen}; the server holds {server.figures()}")
    return seen


CHECKS = [
    Check("F29", "SIGTERM under full load: an environment of microseconds", echo),
    Check("F29", "SIGTERM under full load: steps on worker threads", workers),
    Check("F29", "SIGTERM under full load: tasks", tasks),
    Check("F29", "SIGTERM under full load: tasks whose steps take minutes", tasks_of_minutes),
    Check("F29", "SIGTERM to clients with calls under way", clients),
]
