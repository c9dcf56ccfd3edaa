#!/usr/bin/env python3
"""Checks the figures of README.md against the tables that they are from: scripts/figures.py

Every number in the table of "How fast it is", in the brackets of the paragraph below it, and every commit that the section names,
stands in a table of Benchmarks/. Prints one line for each that does not, and ends with 1.
"""
import re
import sys
from pathlib import Path

root = Path(__file__).resolve().parent.parent
pages = ["RESULTS.md", "codecs.md", "transforms.md", "service.md"]
NUMBER = r"(?<![\w.,-])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w.]*\d)"

known = set()
text = "\n".join((root / "Benchmarks" / page).read_text() for page in pages)
for line in text.splitlines():
    if line.startswith("|"): known.update(re.findall(NUMBER, line))

section = re.search(r"^## How fast it is\n(.*?)^## ", (root / "README.md").read_text(), re.S | re.M)
if not section: sys.exit("README.md has no section 'How fast it is'")
quoted = []
for line in section[1].splitlines():
    cells = line.strip().strip("|").split("|")
    if line.startswith("|") and len(cells) == 3: quoted += re.findall(NUMBER, cells[1] + " " + cells[2])
for paragraph in section[1].split("\n\n"):
    if paragraph.startswith("It loses"): quoted += re.findall(NUMBER, " ".join(re.findall(r"\(([^)]*)\)", paragraph)))
if len(quoted) < 20: sys.exit(f"README.md: only {len(quoted)} figures were found")

faults = [f"README.md quotes {number}, which no table of Benchmarks/ has" for number in quoted if number not in known]
faults += [
    f"README.md names commit {commit}, which no page of Benchmarks/ names"
    for commit in re.findall(r"commit ([0-9a-f]{7,})", section[1]) if commit not in text
]
print("\n".join(faults), end="\n" if faults else "")
sys.exit(1 if faults else 0)
