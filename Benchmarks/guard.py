#!/usr/bin/env python3
"""Compares counted instructions and allocations with thresholds; called by scripts/guard.sh.

    guard.py FOLDER THRESHOLDS [--record]      FOLDER: `names`, and callgrind's `out.1`, `out.2`, … in the same order;
                                               `allocations.json`, from RequestBenchmark --count
"""
import json, os, re, subprocess, sys

INSTRUCTIONS_ALLOWED = 0.05
# Allocations are the same in every run but for tables that grow; a cold load passes many of them.
ALLOCATIONS_ALLOWED = 2
COLD_ALLOCATIONS_ALLOWED = 0.05


def instructions(path):
    return int(re.search(r"^(?:summary|totals): (\d+)", open(path).read(), re.M).group(1))


def machine():
    flags = set(re.search(r"^flags\s*: (.*)", open("/proc/cpuinfo").read(), re.M).group(1).split()) if os.uname().machine == "x86_64" else set()
    swift = re.search(r"Swift version (\d+\.\d+)", subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout)
    return f"{os.uname().machine}{' avx2' if 'avx2' in flags else ''}, Swift {swift.group(1) if swift else '?'}"


def compare(kind, counts, known, allowed, least):
    """Prints one line for each count; returns those that fail. Of a name and its threshold say `allowed` how much more passes, and
    `least` how much less is worth a new threshold."""
    print(f"{kind}:")
    failed = []
    for name, value in counts.items():
        wanted = known.get(name)
        mark = ""
        if wanted is None:
            mark = "new: record it"
        elif value - wanted > allowed(name, wanted):
            mark = f"TOO MANY, the threshold is {wanted:,}"
            failed.append(name)
        elif wanted - value >= least(name, wanted):
            mark = f"fewer than {wanted:,}: lower the threshold"
        change = f"{value / wanted - 1:+7.1%}" if wanted else "       "
        print(f"  {name:24} {value:>14,} {change}  {mark}")
    missing = sorted(set(known) - set(counts))
    if missing:
        print("  not measured any more:", ", ".join(missing))
    return failed + missing


def main():
    folder, thresholds = sys.argv[1], sys.argv[2]
    names = [line.strip() for line in open(os.path.join(folder, "names")) if line.strip()]
    counts = {name: instructions(os.path.join(folder, f"out.{index + 1}")) for index, name in enumerate(names)}
    allocations = json.load(open(os.path.join(folder, "allocations.json")))
    here = machine()
    if "--record" in sys.argv or not os.path.exists(thresholds):
        json.dump({"machine": here, "instructions": counts, "allocations": allocations}, open(thresholds, "w"), indent=4)
        open(thresholds, "a").write("\n")
        print(f"recorded {len(counts)} paths and the allocations of {len(allocations)} requests for {here}")
        return
    known = json.load(open(thresholds))
    failed = compare(
        "Instructions", counts, known.get("instructions", {}), lambda _, wanted: INSTRUCTIONS_ALLOWED * wanted,
        lambda _, wanted: INSTRUCTIONS_ALLOWED * wanted)
    failed += compare(
        "Allocations", allocations, known.get("allocations", {}),
        lambda name, wanted: COLD_ALLOCATIONS_ALLOWED * wanted if name == "cold" else ALLOCATIONS_ALLOWED,
        # A cold load's count lies between two numbers.
        lambda name, _: 2 if name == "cold" else 1)
    if known["machine"] != here:
        print(f"The thresholds are those of {known['machine']}; this is {here}: nothing fails.")
    elif failed:
        sys.exit(f"More than Benchmarks/guard.json allows: {', '.join(failed)}.")


main()
