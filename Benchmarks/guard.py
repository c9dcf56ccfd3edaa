#!/usr/bin/env python3
"""Compares counted instructions with thresholds; called by scripts/guard.sh.

    guard.py FOLDER THRESHOLDS [--record]      FOLDER: `names`, and callgrind's `out.1`, `out.2`, … in the same order
"""
import json, os, re, subprocess, sys

ALLOWED = 0.05


def count(path):
    return int(re.search(r"^(?:summary|totals): (\d+)", open(path).read(), re.M).group(1))


def machine():
    flags = set(re.search(r"^flags\s*: (.*)", open("/proc/cpuinfo").read(), re.M).group(1).split()) if os.uname().machine == "x86_64" else set()
    swift = re.search(r"Swift version (\d+\.\d+)", subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout)
    return f"{os.uname().machine}{' avx2' if 'avx2' in flags else ''}, Swift {swift.group(1) if swift else '?'}"


def main():
    folder, thresholds = sys.argv[1], sys.argv[2]
    names = [line.strip() for line in open(os.path.join(folder, "names")) if line.strip()]
    counts = {name: count(os.path.join(folder, f"out.{index + 1}")) for index, name in enumerate(names)}
    here = machine()
    if "--record" in sys.argv or not os.path.exists(thresholds):
        json.dump({"machine": here, "instructions": counts}, open(thresholds, "w"), indent=4)
        open(thresholds, "a").write("\n")
        print(f"recorded {len(counts)} paths for {here}")
        return
    known = json.load(open(thresholds))
    failed = []
    for name, value in counts.items():
        wanted = known["instructions"].get(name)
        change = value / wanted - 1 if wanted else 0
        mark = "" if wanted else "new"
        if change > ALLOWED:
            mark = "TOO MANY"
            failed.append(name)
        elif change < -ALLOWED:
            mark = "fewer: lower the threshold"
        print(f"{name:24} {value:>14,} {change:+7.1%}  {mark}")
    missing = set(known["instructions"]) - set(counts)
    if missing:
        failed += sorted(missing)
        print("not measured any more:", ", ".join(sorted(missing)))
    if known["machine"] != here:
        print(f"The thresholds are those of {known['machine']}; this is {here}: nothing fails.")
    elif failed:
        sys.exit(f"More than {ALLOWED:.0%} more instructions than Benchmarks/guard.json allows: {', '.join(failed)}.")


main()
