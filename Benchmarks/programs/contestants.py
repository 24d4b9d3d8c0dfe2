"""The measured programs, and the options with which they do the same work."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from measure import BenchError, Contestant, metered, text
from pictures import write_curl_list
from screen import first_screen

CELLS = "40x20"
PRINT = ["print", "--size", CELLS, "--columns", "1", "--colors", "24bit", "--symbols", "half",
         "--pixels", "off"]
GALLERY = ["--colors", "24bit", "--symbols", "half", "--pixels", "off", "--no-disk-cache"]
PEERS = {"timg": [f"-g{CELLS}", "-ph"],
         "chafa": ["-c", "full", "--symbols", "vhalf", "-s", CELLS]}


class Programs:
    """Our binaries, one or (for a comparison) two, as (name, path); and the folder in which they may write."""

    def __init__(self, ours, scratch, with_peers):
        self.ours, self.scratch, self.with_peers = ours, Path(scratch), with_peers
        self.peers = {kind: versions(kind) for kind in PEERS} if with_peers else {}
        self.variables = {}

    def home(self, name):
        """Returns a folder for a single program."""
        folder = self.scratch / re.sub(r"[^A-Za-z0-9.]+", "-", name)
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def environment(self, name):
        """Returns the environment of a program: only PATH is this machine's; caches and configuration are in home."""
        home = str(self.home(name))
        return {**self.variables, "PATH": os.environ["PATH"], "HOME": home, "LANG": "C.UTF-8",
                "TERM": "xterm-256color", "COLORTERM": "truecolor",
                "XDG_CACHE_HOME": home + "/cache", "XDG_CONFIG_HOME": home + "/config",
                "XDG_STATE_HOME": home + "/state", "XDG_DATA_HOME": home + "/data"}

    def termgallery(self, arguments, x="", variant="", cold=False, status=0):
        """Returns a contestant for each of our binaries with these arguments; `cold` empties its cache first."""
        found = []
        for name, path in self.ours:
            environment, command = self.environment(name), [path, *map(str, arguments)]
            cache = self.home(name) / "cache"
            found.append(Contestant(
                name, lambda c=command, e=environment: metered(c, e, status),
                x, variant, text(["termgallery", *arguments]),
                (lambda c=cache: shutil.rmtree(c, ignore_errors=True)) if cold else None))
        return found

    def gallery(self, feed, columns, rows, x):
        """Returns contestants that run the gallery until its first screen is complete."""
        found = []
        for name, path in self.ours:
            environment, command = self.environment(name), [path, *GALLERY, "--no-remember", feed]
            found.append(Contestant(
                name, lambda c=command, e=environment: first_screen(c, e, columns, rows),
                x, "", text(["termgallery", *GALLERY, feed])))
        return found

    def viewers(self, files, x="", variant=""):
        """Returns contestants for timg and chafa with these files, each version of them."""
        return [self.other(name, [path, *PEERS[kind], *files], x, variant,
                           text([kind, *PEERS[kind], *files]))
                for kind, found in self.peers.items() for name, path in found]

    def viewers_after_curl(self, urls, x, variant):
        """Returns contestants that run curl -Z, then timg or chafa with the downloaded files."""
        found = []
        for kind, paths in self.peers.items():
            for name, path in paths:
                folder = self.home(name) / "bodies"
                listed = write_curl_list(self.home(name) / "urls.txt", urls, folder)
                script = f'curl -sfZ -K {listed} && exec {path} {" ".join(PEERS[kind])} {folder}/*'
                found.append(self.other(
                    f"curl, {name}", ["sh", "-c", script], x, variant,
                    f"curl -sfZ -K LIST && {kind} {' '.join(PEERS[kind])} FILES",
                    lambda f=folder: anew(f)))
        return found

    def curl(self, urls, transfers, x, folder=None):
        """Returns a contestant for curl -Z, which stores the bodies in a folder or discards them."""
        if not self.with_peers:
            return []
        variant = "-Z, files" if folder else "-Z, /dev/null"
        listed = write_curl_list(self.home(f"curl {variant} {x}") / "urls.txt", urls, folder)
        command = ["curl", "-sfZ", "--parallel-max", str(transfers), "-K", listed]
        return [self.other("curl", command, x, variant, text(command[:-1] + ["LIST"]),
                           (lambda: anew(folder)) if folder else None)]

    def other(self, name, command, x, variant, shown, before=None):
        """Returns another program as a contestant."""
        environment, command = self.environment(name), [str(word) for word in command]
        return Contestant(name, lambda: metered(command, environment), x, variant, shown, before)


def anew(folder):
    """Empties a folder, or creates it."""
    shutil.rmtree(folder, ignore_errors=True)
    Path(folder).mkdir(parents=True)


def versions(kind):
    """Returns (name with version, path) of Debian's timg or chafa, or of the programs that TIMG= or CHAFA=
    lists, separated by colons."""
    found = []
    for path in os.environ.get(kind.upper(), kind).split(":"):
        program = shutil.which(path)
        if program is None:
            raise BenchError(f"{path} is missing; Scripts/setup.sh bench installs Debian's {kind}")
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
        words = (said.stdout + said.stderr).split()
        number = next((word for word in words if word[:1].isdigit()), "")
        name = f"{kind} {number}".strip().rstrip("+")
        found.append((name if name not in dict(found) else f"{name} ({program})", program))
    return found
