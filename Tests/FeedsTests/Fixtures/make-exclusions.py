#!/usr/bin/env python3
"""Writes exclusions.txt: what git ignores, by patterns and paths made at random.

Each line: the patterns, a tab, a path (a folder's ends in a slash), a tab, 1 if git ignores it.

Two stars stand for a whole name only: of others git's manual says that they are as one star, but git
itself takes them for any folders where nothing but letters stands before them.
"""
import os, random, shutil, subprocess, tempfile

random.seed(7)
names = ["a", "b", "ab", "a.b", "aab", "c-d"]
pieces = ["a", "b", "ab", "*", "a*", "*b", "?", "a?", "[ab]", "[!a]*", "[a-c]*", "**", "*.b", "c-d", "\\a"]

def pattern():
    text = "/".join(random.choice(pieces) for _ in range(random.choice([1, 1, 2, 2, 3])))
    return random.choice(["", "", "", "!"]) + random.choice(["", "", "/"]) + text + random.choice(["", "", "/"])

with tempfile.TemporaryDirectory() as folder, open(os.path.join(os.path.dirname(__file__), "exclusions.txt"), "w") as out:
    subprocess.run(["git", "init", "-q", folder], check=True)
    for _ in range(400):
        patterns = [pattern() for _ in range(random.choice([1, 1, 2, 3]))]
        with open(os.path.join(folder, ".gitignore"), "w") as file:
            file.write("\n".join(patterns) + "\n")
        for _ in range(4):
            path = "/".join(random.choice(names) for _ in range(random.choice([1, 2, 2, 3])))
            end = random.choice(["", "/"])
            # A folder that is there: of a name with a slash behind it git matches the empty name, too.
            if end:
                os.makedirs(os.path.join(folder, path))
            code = subprocess.run(["git", "check-ignore", "-q", "--no-index", path], cwd=folder).returncode
            shutil.rmtree(os.path.join(folder, path.split("/")[0]), ignore_errors=True)
            path += end
            out.write("%s\t%s\t%d\n" % (" ".join(patterns), path, 1 - code))
