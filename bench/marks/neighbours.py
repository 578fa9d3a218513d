"""Row i: what a session that sleeps does to those beside it."""

from .errors import BenchError
from .generator import p50, p99
from .outcome import Outcome
from .spread import Spread, figure

FAST = 255
NAP_S = 3


def measure(setting, _):
    pinned = setting.pinned
    nap_s = setting.small(max(NAP_S, setting.seconds + 1), 1)
    nap = ("--sessions", 1, "--steps", 1, "--step", f'{{"seconds":{nap_s:g}}}')
    fast = ("--sessions", setting.small(FAST, 31), "--step", '{"seconds":0}')

    with setting.bench_environment("napper", pinned) as server:

        def alone(number):
            return setting.measure("i", number, server, pinned, *fast)

        def beside(number):
            # Asleep before the others are measured, and until they are done.
            sleeper = setting.load(server, pinned.generator_cores, *nap)
            try:
                report = setting.measure("i", number, server, pinned, *fast)
                if sleeper.process.poll() is not None:
                    raise BenchError("the session that sleeps woke up before the others were done")
                sleeper.report()
            finally:
                sleeper.stop()
            return report

        # Two of the same tell how far apart two of the same are.
        rounds = setting.in_rounds({"alone": alone, "again": alone, "beside": beside})
    ratios = [p99(one["beside"]) / p99(one["alone"]) for one in rounds]
    noise = [p99(one["again"]) / p99(one["alone"]) for one in rounds]
    bound = max(noise + [1 / ratio for ratio in noise])
    outcome = Outcome(
        "i",
        ratios,
        "pinned",
        met=Spread.of(ratios).median <= bound,
        wanted=f"≤ {figure(bound)} ×, the noise of this run",
    )
    outcome.notes = [
        "p99 in ms: "
        + ", ".join(
            f"{name} {figure(Spread.of(p99(one[key]) for one in rounds).median / 1e3)}"
            for key, name in (("alone", "without"), ("again", "without again"), ("beside", "beside"))
        ),
        "p50 in ms: "
        + ", ".join(
            f"{name} {figure(Spread.of(p50(one[key]) for one in rounds).median / 1e3)}"
            for key, name in (("alone", "without"), ("beside", "beside"))
        ),
        "an ordinary environment without a declared execution policy, whose step blocks its thread",
    ]
    outcome.commands = setting.commands("i") + [
        f"# beside it: --sessions 1 --steps 1 --step '{nap[-1]}'"
    ]
    return [outcome]
