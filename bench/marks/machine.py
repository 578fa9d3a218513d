"""What a measurement was taken on, and what else went on there."""

import contextlib
import dataclasses
import os
import pathlib
import platform
import resource
import subprocess
import sys
import time


def _first_line(command):
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return (result.stdout or result.stderr).splitlines()[0].strip()


def _cpu_model():
    with contextlib.suppress(OSError):
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return "unknown"


def memory_figure(name):
    """One of /proc/meminfo. Units: bytes."""
    for line in pathlib.Path("/proc/meminfo").read_text().splitlines():
        key, value = line.split(":", 1)
        if key == name:
            return int(value.split()[0]) * 1024
    raise KeyError(name)


def resident_bytes(pid):
    pages = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


def open_descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def thread_count(pid):
    return len(os.listdir(f"/proc/{pid}/task"))


def load_average():
    return os.getloadavg()[0]


@dataclasses.dataclass(frozen=True)
class Usage:
    """CPU time up to now. Units: seconds."""

    at: float
    all_programs: float
    stolen: float  # by the host of a virtual machine
    ours: float  # of this process and those it has started and waited for

    @classmethod
    def now(cls):
        words = pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()
        user, nice, system, _, _, interrupts, soft, stolen = (
            int(word) / os.sysconf("SC_CLK_TCK") for word in words[1:9]
        )
        own = resource.getrusage(resource.RUSAGE_SELF)
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return cls(
            time.monotonic(),
            user + nice + system + interrupts + soft,
            stolen,
            own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime,
        )


def disturbance(before, after, cores):
    """How much of the machine others used between two looks."""
    whole = (after.at - before.at) * cores
    others = (after.all_programs - before.all_programs) - (after.ours - before.ours)
    stolen = after.stolen - before.stolen
    return (
        f"other programs used {100 * max(0.0, others) / whole:.0f} % of the CPU time meanwhile,"
        f" the host of the virtual machine took {100 * stolen / whole:.0f} %"
    )


def raise_descriptor_limit():
    """For every process started from here on. Returns the limit that holds now."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def facts(setting):
    """Machine and versions, as a dictionary of texts."""
    found = {
        "CPU": f"{_cpu_model()}, {len(setting.cores)} cores"
        f"{' (a virtual machine)' if _is_virtual() else ''}",
        "memory": f"{memory_figure('MemTotal') / 2**30:.0f} GiB",
        "kernel": f"Linux {platform.release()}",
        "compiler": _first_line(["c++", "--version"]) + ", release preset",
        "OpenEnv for C++": _first_line([str(setting.openenv), "--version"]),
        "commit": _commit(),
        "Python of this script": platform.python_version(),
        "descriptors a process may open": str(setting.descriptor_limit),
    }
    if setting.python.exists():
        found["Python edition"] = _versions(setting.python, ["openenv", "uvicorn", "websockets"])
    if setting.gymnasium_python.exists():
        found["Gymnasium"] = _versions(setting.gymnasium_python, ["gymnasium", "numpy"])
    return found


def _is_virtual():
    with contextlib.suppress(OSError):
        return "hypervisor" in pathlib.Path("/proc/cpuinfo").read_text()
    return False


def _commit():
    root = pathlib.Path(__file__).resolve().parents[2]
    commit = _first_line(["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=12"])
    return commit


def _versions(python, packages):
    program = (
        "import importlib.metadata as m, platform, sys;"
        "print('Python ' + platform.python_version() + ', ' +"
        " ', '.join(p + ' ' + m.version(p) for p in sys.argv[1:]))"
    )
    return _first_line([str(python), "-c", program, *packages])


def say(text):
    """Progress, which is no result."""
    print(text, file=sys.stderr, flush=True)
