#!/usr/bin/env python3
"""Counts the instructions of a few workloads of the release binary and compares them with table.txt.

    count.py BINARY            compare; the exit status is 1 if a count left its tolerance
    count.py BINARY --record   write table.txt

The counts are callgrind's. They do not depend on the machine's load, but on its libraries: the table names their
versions, and the counts of other versions are printed without a comparison (with --strict, that is a failure).
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import inputs
import screen

FOLDER = pathlib.Path(__file__).parent
TABLE = FOLDER / "table.txt"
# Above this share of the recorded count, a count is a regression; below, the table must be lowered. Work that is
# divided among threads varies: figures in README.md.
TOLERANCES = {"version": 1, "grid-scroll": 15, "feed-open": 12, "labels-open": 5, "fetch-head": 5}
TOLERANCE = 2

PRINT = (
    "print --size 40x20 --columns 1 --colors 24bit --symbols half --pixels off --isolate never --no-config"
).split()


def environment(home):
    """The environment of every workload: no settings of the user, and no SIMD code above a common level."""
    return {
        "HOME": home,
        "PATH": os.environ["PATH"],
        "LC_ALL": "C.UTF-8",
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "JSIMD_FORCESSE2": "1",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-AVX512F,-AVX512VL,-BMI2,-ERMS,-FSRM",
    }


class Counter:
    """Runs the program under callgrind."""

    def __init__(self, binary, folder):
        self.folder = folder
        self.home = f"{folder}/home"
        self.binary = f"{folder}/termgallery"
        os.makedirs(self.home)
        # Valgrind stops at Swift's full debug information.
        subprocess.run(["strip", "--strip-debug", "-o", self.binary, binary], check=True)

    def command(self, arguments):
        """The command line that counts, and the file of its result."""
        result = f"{self.folder}/callgrind.out"
        valgrind = ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={result}"]
        return valgrind + [self.binary, *arguments], result

    def run(self, arguments):
        """Runs the program and returns the number of instructions."""
        command, result = self.command(arguments)
        run = subprocess.run(
            command, env=environment(self.home), stdin=subprocess.DEVNULL, capture_output=True
        )
        if run.returncode != 0:
            sys.exit(f"instructions: {arguments} ended with {run.returncode}: {run.stderr.decode()[-500:]}")
        return self.total(result)

    def total(self, result):
        """Reads the number of instructions from a result."""
        text = pathlib.Path(result).read_text(errors="replace")
        return int(re.search(r"^(?:summary|totals): (\d+)", text, re.MULTILINE).group(1))

    def functions(self, count=12):
        """The functions of the last run that cost most, for a report."""
        report = subprocess.run(
            ["callgrind_annotate", f"{self.folder}/callgrind.out"], capture_output=True, text=True
        ).stdout
        lines = [line for line in report.splitlines() if re.match(r" *[\d,]+ \(", line)][1 : count + 1]
        if shutil.which("swift"):
            demangled = subprocess.run(
                ["swift", "demangle", "--simplified"], input="\n".join(lines), capture_output=True, text=True
            )
            lines = demangled.stdout.splitlines()
        return [line[:150] for line in lines]


def workloads(counter, folder):
    """Each workload's name, and how it is counted."""
    none = ["--no-disk-cache"]
    cache = ["--cache-dir", f"{folder}/cache"]

    def prints(name, options=none):
        return lambda: counter.run([*PRINT, *options, f"{folder}/inputs/{name}"])

    def warm():
        prints("web", cache)()
        return prints("web", cache)()

    def heads():
        with screen.Server(counter.binary, environment(counter.home), 500) as feed:
            return counter.run(["fetch", "--check", "head", "--no-config", *none, feed])

    gallery = ["--no-config", "--no-remember", "--isolate", "never", "--pixels", "off"]
    return {
        "version": lambda: counter.run(["--version"]),
        "print-one": prints("one"),
        "print-web": prints("web"),
        "print-web-exact": prints("web", [*none, "--exact"]),
        "print-progressive": prints("progressive"),
        "print-png": prints("png"),
        "print-large": prints("large"),
        "print-warm": warm,
        "fetch-head": heads,
        "feed-open": lambda: screen.count(
            counter, environment(counter.home), [*gallery, "--offline", *none, f"{folder}/inputs/list.txt"], 0
        ),
        "labels-open": lambda: screen.count(
            counter,
            environment(counter.home),
            [*gallery, *none, "--labels", f"{folder}/inputs/labels.jsonl", f"{folder}/inputs/one"],
            0,
            waits_for_more=False,
        ),
        "grid-scroll": lambda: screen.count(
            counter, environment(counter.home), [*gallery, *none, f"{folder}/inputs/web"], 50
        ),
    }


def versions(digest):
    """Returns the versions of the libraries and tools that influence the counts, and a checksum of the inputs."""
    def output(*command):
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()

    def package(name):
        return output("dpkg-query", "-W", "-f", "${Version}", name) or "unknown"

    flags = pathlib.Path("/proc/cpuinfo").read_text()
    return {
        "glibc": package("libc6"),
        "libjpeg-turbo": package("libjpeg62-turbo"),
        "libpng": package("libpng16-16"),
        "swift": (re.search(r"Swift version (\S+)", output("swift", "--version")) or ["", "unknown"])[1],
        "valgrind": package("valgrind"),
        "processor": "AVX2" if " avx2 " in flags else "no AVX2",
        "inputs": digest[:16],
    }


def read_table():
    """Returns the versions and the counts of the table."""
    found, counts = {}, {}
    if TABLE.exists():
        for line in TABLE.read_text().splitlines():
            if line.startswith("# ") and ": " in line:
                name, value = line[2:].split(": ", 1)
                found[name] = value
            elif line and not line.startswith("#"):
                name, value = line.split()[:2]
                counts[name] = int(value.replace(",", ""))
    return found, counts


def write_table(found, counts):
    """Writes the table."""
    lines = [f"# {name}: {value}" for name, value in found.items()]
    lines += [f"{name:<20} {count:>15,}" for name, count in counts.items()]
    TABLE.write_text("\n".join(lines) + "\n")


def verdict(name, count, expected):
    """Returns what is wrong with a count, or nothing."""
    share = 100 * (count - expected) / expected
    if abs(share) <= TOLERANCES.get(name, TOLERANCE):
        return None
    if share > 0:
        return f"{share:.1f} % more instructions than in table.txt"
    return f"{-share:.1f} % fewer instructions than in table.txt: lower it (make instructions-record)"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--only", help="names of workloads, separated by commas")
    options = parser.parse_args()
    for tool in ("valgrind", "callgrind_annotate", "cjpeg", "strip"):
        if not shutil.which(tool):
            sys.exit(f"instructions: {tool} is missing; Scripts/setup.sh instructions installs it")

    known, recorded = read_table()
    faults, counts = [], {}
    with tempfile.TemporaryDirectory() as folder:
        found = versions(inputs.make(f"{folder}/inputs"))
        others = [name for name, value in found.items() if known.get(name) != value]
        for name, measure in workloads(counter := Counter(options.binary, folder), folder).items():
            if options.only and name not in options.only.split(","):
                continue
            counts[name] = measure()
            expected = recorded.get(name)
            change = f"{100 * (counts[name] - expected) / expected:+6.1f} %" if expected else "    new"
            print(f"{name:<20} {counts[name]:>15,} {change}", flush=True)
            fault = verdict(name, counts[name], expected) if expected and not others else None
            if fault and not options.record:
                faults.append(name)
                print(f"instructions: {name}: {fault}. The functions that cost most:", *counter.functions(), sep="\n  ")
    if options.record:
        write_table(found, {**recorded, **counts})
        return
    for name in others:
        print(f"instructions: {name} is {found[name]}; the table was measured with {known.get(name)}")
    if others:
        print("instructions: not compared; measure the table again with make instructions-record")
    if faults or (others and options.strict):
        sys.exit(1)


if __name__ == "__main__":
    main()
