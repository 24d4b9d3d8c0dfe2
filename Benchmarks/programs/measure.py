"""Measures the costs of programs, and compares several programs in turn within one run."""

import ctypes
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from collections import namedtuple
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Optional

METER = str(Path(__file__).with_name("meter.py"))
LIMIT = 600  # seconds after which a measured program is killed
PR_SET_CHILD_SUBREAPER = 36
libc = ctypes.CDLL(None)

Usage = namedtuple("Usage", "wall cpu peak")
"""Wall seconds, CPU seconds, and peak memory in bytes of the largest process of one run."""


class BenchError(Exception):
    """A requirement of the benchmark is missing, or a measured program failed."""


def metered(command, environment, status=0):
    """Runs a command, discards its output and returns its Usage; fails if its exit status is not `status`."""
    program = shutil.which(command[0], path=environment.get("PATH"))
    if program is None:
        raise BenchError(f"{command[0]} is missing; Scripts/setup.sh bench installs it")
    read, write = os.pipe()
    with os.fdopen(read, "rb") as report, tempfile.TemporaryFile() as errors:
        meter = subprocess.Popen(
            [sys.executable, "-ISE", METER, str(write), program, *command[1:]],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
            env=environment, pass_fds=[write], start_new_session=True,
            preexec_fn=become_reaper)
        os.close(write)
        try:
            meter.wait(LIMIT)
        except BaseException as error:
            # It has its own process group, so signals that end the benchmark do not reach it.
            os.killpg(meter.pid, signal.SIGKILL)
            meter.wait()
            if isinstance(error, subprocess.TimeoutExpired):
                raise BenchError(f"over {LIMIT} s: {text(command)}") from None
            raise
        words = report.read().split()
        if len(words) != 4 or int(words[3]) != status:
            errors.seek(0)
            said = errors.read().decode("utf-8", "replace")[-600:]
            code = int(words[3]) if len(words) == 4 else "unknown"
            raise BenchError(f"exit status {code}, not {status}: {text(command)}\n{said}")
    return Usage(float(words[0]), float(words[1]), int(words[2]))


def become_reaper():
    """Makes the meter inherit helpers that outlive their program, so that their CPU time is counted."""
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def text(command):
    """Returns a command as one line, with a long list of files shortened."""
    words = [str(word) for word in command]
    if len(words) > 24:
        words = words[:20] + [f"… ({len(words) - 20} more)"]
    return " ".join(words)


@dataclass
class Contestant:
    """A program with its arguments. `subject` is the program, `variant` its mode, and `x` its input.
    `before` runs before each run and is not measured; `run` returns the Usage."""

    subject: str
    run: Callable[[], Usage]
    x: object = ""
    variant: str = ""
    command: str = ""
    before: Optional[Callable[[], None]] = None

    @property
    def series(self):
        """The name in tables and plots."""
        return f"{self.subject} {self.variant}".strip()

    def once(self):
        """Performs one run and returns its Usage."""
        if self.before:
            self.before()
        return self.run()


@dataclass
class Figure:
    """The costs of one contestant in each run, and the costs of the baseline in the same runs."""

    case: str
    subject: str
    variant: str
    x: object
    command: str
    runs: list = field(default_factory=list)
    baseline: str = ""
    base_runs: list = field(default_factory=list)

    def median(self, unit):
        """Returns the median of `wall`, `cpu` or `peak`."""
        return statistics.median(getattr(run, unit) for run in self.runs)

    def ratio(self, unit):
        """Returns the median of the ratios of each run to the baseline in the same run."""
        return statistics.median(ratios(self.runs, self.base_runs, unit))

    @property
    def series(self):
        """The name in tables and plots, as in Contestant."""
        return f"{self.subject} {self.variant}".strip()

    def as_json(self):
        """Returns the figure as a plain dictionary."""
        return {
            "case": self.case, "subject": self.subject, "variant": self.variant, "x": self.x,
            **{unit: self.median(unit) for unit in Usage._fields},
            "baseline": self.baseline,
            "ratio": {unit: self.ratio(unit) for unit in Usage._fields},
            "runs": [list(run) for run in self.runs], "command": self.command,
        }


def ratios(runs, base_runs, unit):
    """Returns the ratio of each run to the run of the baseline in the same round."""
    return [getattr(run, unit) / max(getattr(base, unit), 1e-9)
            for run, base in zip(runs, base_runs)]


def by_turns(contestants, runs, warm_up=False):
    """Runs every contestant `runs` times, an odd number, and starts each round with a different one.
    Returns lists of Usages in the order of the contestants. `warm_up` adds a first run that is not counted."""
    if runs % 2 == 0:
        raise ValueError("a median needs an odd number of runs")
    usages = [[] for _ in contestants]
    for turn in range(-1 if warm_up else 0, runs):
        for place in range(len(contestants)):
            index = (place + turn) % len(contestants)
            usage = contestants[index].once()
            if turn >= 0:
                usages[index].append(usage)
    return usages


def contest(case, contestants, runs, warm_up=False):
    """Returns a Figure for each contestant; the first one is the baseline."""
    usages = by_turns(contestants, runs, warm_up)
    first = contestants[0]
    baseline = first.series if len({c.series for c in contestants}) > 1 else str(first.x)
    return [Figure(case, each.subject, each.variant, each.x, each.command, found, baseline, usages[0])
            for each, found in zip(contestants, usages)]
