#!/usr/bin/env python3
"""prose.py [--list] [PATH…]: finds English that a reader must decipher: comments, messages, test names, documents.

Reads the tracked Swift, C, shell, Python, Markdown and manual files below PATH (default: all). In source
files only comments, string literals and test names count. Without --list it prints the number of hits per rule, and
fails if there are more than 5 hits per 1,000 lines of prose, or a commit subject longer than 72 characters.

A hit is a sentence to read again. If it is right as it is, excuse it in the same line or the line above:
    // prose: RULE, REASON
"""
import collections
import re
import subprocess
import sys

MOST_PER_THOUSAND = 5
LONGEST_SUBJECT = 72
# The last commit whose subject is not checked; earlier ones cannot be changed.
SUBJECTS_SINCE = "bed1516a"

RULES = {
    "what-clause": (r"(?:^|[.:;] )What (?!to\b|kind\b|happens\b|if\b)\w+[^?]*$|\b(?:of|by|for|with|in|than|and|from) what (?:is|was|has|it|they|the|an?)\b",
                    "a clause with 'what' used as a noun: name the thing"),
    "of-first": (r"(?:^|[.:;] )Of (?:a|an|the|each|all|those|these|one|its|which|what)\b",
                 "a sentence that starts with 'Of …': put the subject first"),
    "vague-amount": (r"\bso (?:many|much|long|often|far)\b(?! (?:that|as))|\bas far as (?:it|one|they|is|was)\b|\bno more than is\b",
                     "an amount without a number or a unit"),
    "indefinite-person": (r"\b(?:nobody|somebody|anybody|everybody|whoever|no one)\b",
                          "name the user, the caller or the component"),
    "is-none": (r"(?<!there )\b(?:is|are|was) none\b|\b(?:that|which|it) (?:is|are) no [a-z]+",
                "say what is missing or invalid"),
    "tells": (r"\b(?:says?|tells?|told) (?:that|of|what|how|which|so|it|when|where)\b|\band said\b|\bhears? (?:of|once|that|it)\b",
              "use report, return, print, notify or specify"),
    "comes": (r"\b(?:has|have|had) come\b|\bcomes? (?:later|of it|to an end)\b|\bwhat (?:came|comes)\b",
              "use receive, arrive, load or occur"),
    "for-because": (r"[,;] for (?:it|they|there|he|she|we|then|nothing|nobody)\b", "write 'because'"),
    "archaic": (r"\b(?:anew|thereof|therein|wherein|whereby|in place of|to be had|be had|at hand|as yet|save for|lest|nought|by itself alone)\b",
                "write again, instead of, available"),
    "is-to": (r"\b(?:is|are|was|were) to (?:be|have|go|stay|come|make|bring|hold|keep|show|take|end|begin|do)\b",
              "write must, should or will"),
    "stands": (r"\b(?:stands?|stood|lies|sits) (?:in|at|behind|beside|before|below|above|there|by|on|under|between|for itself)\b",
               "things are stored, listed or declared; they do not stand or lie"),
    "british": (r"\b(?:colour|behaviour|grey|optimis|normalis|initialis|synchronis|recognis|centre[ds]?\b|neighbour|licence)\w*",
                "American spelling"),
}
COMPILED = {name: re.compile(pattern, re.I if name not in ("what-clause", "of-first") else 0)
            for name, (pattern, _) in RULES.items()}
SUFFIXES = (".swift", ".c", ".h", ".sh", ".py", ".md", ".1")
SKIPPED = re.compile(r"(?:^|/)(?:Fixtures|Corpus|Results|API|Dictionaries)/|^Scripts/prose\.py$")


def prose_of(path, line):
    """The part of a line that is prose: comments, literals and test names of code, all of a document."""
    if path.endswith((".md", ".1")):
        return line.strip()
    comment = re.search(r"(?:^|\s)(?:///?|/\*\*?|#) (.*)", line)
    literals = [text for text in re.findall(r'"((?:[^"\\]|\\.)*)"', line) if " " in text]
    names = re.findall(r"func `([^`]+)`", line)
    return "\n".join(([comment[1]] if comment else []) + literals + names)


def hits_in(path):
    """Yields (line number, rule, text) for each hit, and (line number, None, text) for each line of prose."""
    with open(path, encoding="utf-8", errors="replace") as file:
        excused = ""
        for number, line in enumerate(file, 1):
            if match := re.search(r"prose: ([a-z-]+), .", line):
                excused = match[1]
                continue
            text = prose_of(path, line)
            if text:
                yield number, None, text
                for name, pattern in COMPILED.items():
                    if name != excused and pattern.search(text):
                        yield number, name, text
            excused = ""


def long_subjects():
    """The long subjects of later commits; none if a shallow clone lacks the commit."""
    known = subprocess.run(["git", "merge-base", "--is-ancestor", SUBJECTS_SINCE, "HEAD"], capture_output=True)
    if known.returncode != 0:
        return []
    log = subprocess.run(["git", "log", "--format=%h %s", f"{SUBJECTS_SINCE}..HEAD"], capture_output=True, text=True, check=True)
    return [line for line in log.stdout.splitlines() if len(line.split(" ", 1)[1]) > LONGEST_SUBJECT]


def main(arguments):
    lists = "--list" in arguments
    paths = [argument for argument in arguments if not argument.startswith("--")]
    files = subprocess.run(["git", "ls-files", "--", *paths], capture_output=True, text=True, check=True).stdout.splitlines()
    counts, lines = collections.Counter(), 0
    for path in files:
        if not path.endswith(SUFFIXES) or SKIPPED.search(path):
            continue
        for number, rule, text in hits_in(path):
            lines += rule is None
            if rule:
                counts[rule] += 1
                if lists:
                    print(f"{path}:{number}: {rule}: {text[:140]}")
    if lists:
        return 0
    hits = sum(counts.values())
    for rule, count in counts.most_common():
        print(f"{count:6} {rule:18} {RULES[rule][1]}")
    rate = 1000 * hits / max(1, lines)
    print(f"prose: {hits} hits in {lines} lines ({rate:.1f} per 1,000; limit {MOST_PER_THOUSAND})")
    subjects = long_subjects()
    for subject in subjects:
        print(f"prose: subject longer than {LONGEST_SUBJECT} characters: {subject}")
    return 1 if rate > MOST_PER_THOUSAND or subjects else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
