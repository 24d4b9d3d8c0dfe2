"""bench.py full|quick|compare|page [CASE…]: measures whole programs, see Benchmarks/README.md.

full     writes Results/DATE-programs.json and Documentation/Performance.md
quick    prints its figures; fails if it takes over three minutes
compare  BASE= names a commit: the figures of quick for this binary and that commit's, in turn; fails if
         a figure became worse
page     writes Documentation/Performance.md again from the latest results
"""

import datetime
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cases
import compare
import page
from contestants import Programs
from measure import BenchError, contest
from pictures import Pictures
from server import tool

ROOT = Path(__file__).resolve().parent.parent.parent
QUICK_LIMIT = 180


class Bench:
    """The environment of the cases: programs, images, a folder to write in, and functions to compare programs."""

    def __init__(self, ours, scratch, quick):
        self.quick, self.scratch = quick, Path(scratch)
        self.compares = len(ours) > 1
        self.pictures = Pictures()
        self.programs = Programs(ours, scratch, with_peers=not self.compares)
        self.figures, self.skipped, self.case = [], [], ""

    def contest(self, contestants, runs=None, warm_up=False):
        """Measures the contestants in turn; the first is the baseline. `runs` is odd, by default 3 or 5."""
        if self.compares:
            return self.compare(contestants, warm_up)
        figures = contest(self.case, contestants, runs or (3 if self.quick else 5), warm_up)
        for figure in figures:
            say(figure)
        self.figures += figures

    def compare(self, contestants, warm_up):
        """Compares the two binaries for each figure, with the base as the baseline."""
        pairs = {}
        for each in contestants:
            pairs.setdefault((each.x, each.variant), []).append(each)
        for mine, base in pairs.values():
            try:
                base.once()
            except BenchError as error:
                # An older commit may lack an option; ours must not fail.
                print(f"  {base.x} {base.variant}: the base can't: {error}", flush=True)
                self.skipped.append(f"{self.case}, {base.x}, {base.variant}".rstrip(", "))
                continue
            figure = contest(self.case, [base, mine], 5, warm_up)[1]
            if compare.is_suspect(figure):
                print(f"once more, with more runs: {figure.case}, {figure.x}", flush=True)
                figure = contest(self.case, [base, mine], 11, warm_up)[1]
            say(figure)
            self.figures.append(figure)

    def measure(self, names):
        """Runs the cases with these names."""
        for name in names:
            self.case = name
            print(f"\n{cases.ALL[name].TITLE}", flush=True)
            cases.ALL[name].measure(self)


def say(figure):
    """Prints a figure as one line."""
    print(f"  {str(figure.x):44} {figure.series:28} {figure.median('wall'):8.3f} s"
          f" {figure.ratio('wall'):6.2f}×  CPU {figure.median('cpu'):7.3f} s"
          f" {figure.ratio('cpu'):6.2f}×  {figure.median('peak') / 1e6:6.1f} MB", flush=True)


def output_of(*command):
    """Returns the output of a command, or "unknown"."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def machine():
    """Returns processor, cores, memory and kernel as text."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(": ", 1)[1] for line in lines if line.startswith("model name")), "CPU")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2 ** 30
    return f"{model}, {os.cpu_count()} cores, {memory:.0f} GiB, Linux {os.uname().release}"


def versions(bench):
    """Returns the versions of the other programs."""
    # nginx prints its version on standard error.
    nginx = subprocess.run([tool("nginx"), "-v"], capture_output=True, text=True, check=True).stderr
    return [output_of("curl", "--version").split(" (")[0], nginx.strip().split(": ")[-1],
            *(name for found in bench.programs.peers.values() for name, _ in found)]


def keep(bench, binary, load, seconds):
    """Writes the results of a full run, and returns their file."""
    now = datetime.datetime.now(datetime.timezone.utc)
    results = {
        "date": now.strftime("%Y-%m-%d %H:%M UTC"), "machine": machine(), "load": load,
        "commit": output_of("git", "describe", "--always", "--dirty"),
        # The binary that TERMGALLERY= names may have been built from any commit.
        "binary": "given" if os.environ.get("TERMGALLERY") else "built",
        "version": output_of(binary, "--version"), "command": "make bench-programs",
        "seconds": round(seconds),
        "programs": versions(bench),
        "figures": [{**figure.as_json(), "command": page.shown(figure.command)}
                    for figure in bench.figures]}
    page.RESULTS.mkdir(exist_ok=True)
    file = page.RESULTS / f"{now:%Y-%m-%d}-programs.json"
    file.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    return file


def this_binary():
    """Returns the path in TERMGALLERY=, or of the release build."""
    named = os.environ.get("TERMGALLERY") or str(ROOT / ".build/release/termgallery")
    if not os.access(named, os.X_OK):
        raise BenchError(f"{named} is no program; make release builds it, TERMGALLERY= names another")
    return str(Path(named).resolve())


def base_binary():
    """Returns the path in TERMGALLERY_BASE=, or of a release build of the commit BASE in a worktree that is kept."""
    named = os.environ.get("TERMGALLERY_BASE")
    if named:
        return str(Path(named).resolve())
    base = os.environ.get("BASE")
    if not base:
        raise BenchError("usage: make bench-compare BASE=COMMIT")
    commit = output_of("git", "rev-parse", "--verify", "--quiet", f"{base}^{{commit}}")
    if commit == "unknown":
        raise BenchError(f"{base} is no commit of this repository")
    tree = ROOT / "Benchmarks/.worktrees" / commit[:12]
    binary = tree / ".build/release/termgallery"
    if not tree.exists():
        subprocess.run(["git", "worktree", "prune"], cwd=ROOT, check=True)
        subprocess.run(["git", "worktree", "add", "--detach", tree, commit], cwd=ROOT, check=True)
    # Otherwise the variables of the outer make would be passed to the inner one.
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")}
    subprocess.run(["make", "-C", tree, "release"], check=True, env=environment)
    return str(binary)


def run(mode, names):
    """Runs one of the modes, and returns the exit status."""
    if mode == "page":
        page.write(page.latest())
        return 0
    ours = [("termgallery", this_binary())]
    if mode == "compare":
        ours.append(("base", base_binary()))
    load = " ".join(Path("/proc/loadavg").read_text().split()[:3])
    # In memory if there is space: on ext4, creating a file takes several times as long for some minutes after
    # many files were deleted by any program.
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > 4 << 30
    scratch = tempfile.mkdtemp(prefix="termgallery-bench-", dir=memory if roomy else None)
    try:
        bench = Bench(ours, scratch, quick=mode != "full")
        started = time.monotonic()
        bench.measure(names)
        seconds = time.monotonic() - started - bench.pictures.seconds
        if bench.pictures.seconds > 1:
            print(f"\nmaking images: {bench.pictures.seconds:.0f} s, once")
        print(f"\n{mode}: {seconds:.0f} s, load {load} before", flush=True)
        return finish(mode, names, bench, seconds, load)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def finish(mode, names, bench, seconds, load):
    """Stores, checks or compares the figures, and returns the exit status."""
    if mode == "compare":
        table, worse = compare.report(bench.figures)
        print(f"\nthis binary's figures as shares of the base's, medians of the runs' ratios\n\n{table}")
        for figure in bench.skipped:
            print(f"not compared, for the base can't: {figure}")
        return 1 if worse else 0
    if mode == "quick":
        if seconds > QUICK_LIMIT:
            print(f"quick: over {QUICK_LIMIT} s", file=sys.stderr)
        return 1 if seconds > QUICK_LIMIT else 0
    if list(names) == list(cases.ALL):
        file = keep(bench, bench.programs.ours[0][1], load, seconds)
        page.write(file)
        print(f"kept in {file.relative_to(ROOT)}, shown by Documentation/Performance.md")
    else:
        print("not kept: only some of the cases were measured")
    return 0


def main(arguments):
    """Runs the command, and returns the exit status."""
    if not arguments or arguments[0] not in ("full", "quick", "compare", "page"):
        print(__doc__, file=sys.stderr)
        return 2
    names = arguments[1:] or list(cases.ALL)
    unknown = [name for name in names if name not in cases.ALL]
    if unknown:
        print(f"bench: no such case: {' '.join(unknown)}; there are {' '.join(cases.ALL)}",
              file=sys.stderr)
        return 2
    # So that nginx, the link and the measured programs end with the benchmark.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        return run(arguments[0], names)
    except KeyboardInterrupt:
        return 130
    except (BenchError, FileNotFoundError, subprocess.CalledProcessError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
