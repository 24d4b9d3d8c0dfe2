"""check.py LIST OUT: checks that each URL of LIST is in OUT exactly once, and fails otherwise.

A URL is identified by its field id. It is finished if exactly one line reports it, and there is either
one sample in one complete tar, or an error that another attempt would not change.
"""
import json
import sys
import tarfile
from collections import Counter
from pathlib import Path

listed, out = Path(sys.argv[1]), Path(sys.argv[2])
wanted = Counter(json.loads(line)["id"] for line in listed.open())
told, failed, samples, tars = Counter(), set(), Counter(), 0
for lines in sorted(out.glob("part-*.jsonl")):
    for line in map(json.loads, lines.open()):
        told[line["id"]] += 1
        if line["status"] != "ok" and line["error"]["class"] == "permanent":
            failed.add(line["id"])
for path in sorted(out.glob("part-*/*.tar")):
    tars += 1
    with tarfile.open(path) as tar:
        members = {member.name: member for member in tar}
        for name, member in members.items():
            if name.endswith(".json"):
                assert name[:-4] + "jpg" in members, f"{path}: {name} has no image"
                samples[json.load(tar.extractfile(member))["id"]] += 1

whole = Counter(key for key in wanted if key not in failed)
faults = [
    f"{what}: {len(keys)}, for instance {sorted(keys)[:5]}"
    for what, keys in {
        "not reported": wanted.keys() - told.keys(),
        "reported, but not in the list": told.keys() - wanted.keys(),
        "reported more than once": {key for key, count in told.items() if count > 1},
        "in no tar": whole.keys() - samples.keys(),
        "in a tar, though it failed": samples.keys() - whole.keys(),
        "in tars more than once": {key for key, count in samples.items() if count > 1},
    }.items()
    if keys
]
print(f"{len(wanted)} URLs, {len(samples)} images in {tars} tars, {len(failed)} failed")
sys.exit("\n".join(faults) if faults else 0)
