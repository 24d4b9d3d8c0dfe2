#!/usr/bin/env python3
"""manual.py check|write: keeps the options in man/termgallery.1 equal to those of `termgallery --help`.

The description of an option is written once, in its ArgumentHelp. In the manual, the line `.It Fl ...` of an option
and the text up to the next macro are generated from it; more details follow after a line `.\\" More`. `check` fails
if they differ, or if the manual lacks an option of the gallery, demo, print, preview, fetch, compare or info. TERMGALLERY is the program to
ask, .build/debug/termgallery by default.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import textwrap

PAGE = pathlib.Path(__file__).parent.parent / "man/termgallery.1"
COMPLETE = ("gallery", "demo", "print", "preview", "fetch", "compare", "info")
EVERYWHERE = {"version", "help"}
WIDTH = 116


def options():
    """The options of each command by name: {command: {name: (first line, text)}}."""
    program = os.environ.get("TERMGALLERY", str(PAGE.parent.parent / ".build/debug/termgallery"))
    dump = subprocess.run([program, "--experimental-dump-help"], capture_output=True, text=True, check=True).stdout
    found = {}
    for command in json.loads(dump)["command"]["subcommands"]:
        arguments = {one["preferredName"]["name"]: one for one in command.get("arguments", [])
                     if one["kind"] != "positional"}
        # The negative form of a flag has no text; it is in the item of the flag.
        found[command["commandName"]] = {
            name: item(one, arguments) for name, one in arguments.items() if one.get("abstract")
        }
    return found


def item(option, names):
    """The first line and the text of an option."""
    name = option["preferredName"]["name"]
    shorts = [f"{one['name']} ," for one in option["names"] if one["kind"] == "short"]
    line = " ".join([".It"] + [f"Fl {short}" for short in shorts] + [f"Fl -{name}"])
    if option["kind"] == "option":
        line += f" Ar {option['valueName']}"
    if f"no-{name}" in names and option["kind"] == "flag":
        line += f" , Fl -no-{name}"
    text = option.get("abstract", "")
    default = option.get("defaultValue")
    if default and option["kind"] == "option" and "default" not in text:
        text += f" The default is {default}."
    return line, text


def lines_of(text):
    """The lines of a text in roff; each sentence begins a line."""
    sentences = re.split(r"(?<=[.!?]) (?=[A-Z])", text.replace("\\", "\\e"))
    lines = [line for sentence in sentences for line in textwrap.wrap(sentence, WIDTH, break_on_hyphens=False)]
    return [f"\\&{line}" if line[0] in ".'" else line for line in lines]


def page_with(found):
    """The page with current options, and the names of the options in it."""
    old, new, named = PAGE.read_text(encoding="utf-8").split("\n"), [], set()
    command, position = "gallery", 0
    while position < len(old):
        line = old[position]
        position += 1
        if match := re.match(r"\.It Cm (\w+)", line):
            command = match[1]
        elif line.startswith(".Sh OPTIONS"):
            command = "gallery"
        match = re.match(r"\.It (?:Fl \w , )?Fl -([\w-]+)", line)
        known = match and next((all[match[1]] for all in (found.get(command, {}), *found.values())
                                if match[1] in all), None)
        if not known:
            new.append(line)
            continue
        named.add(match[1])
        new += [known[0], *lines_of(known[1])]
        while not old[position].startswith("."):
            position += 1
    return "\n".join(new), named


def main(mode):
    found = options()
    page, named = page_with(found)
    if mode == "write":
        PAGE.write_text(page, encoding="utf-8")
        return 0
    faults = [f"lacks --{name}" for command in COMPLETE for name in found[command]
              if name not in named | EVERYWHERE and f"Fl -{name}" not in page]
    if page != PAGE.read_text(encoding="utf-8"):
        faults.append("differs from --help; run Scripts/manual.py write")
    for fault in dict.fromkeys(faults):
        print(f"man/termgallery.1:1: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main((sys.argv[1:] or ["check"])[0]))
