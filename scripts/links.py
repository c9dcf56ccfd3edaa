#!/usr/bin/env python3
"""Checks the links of the Markdown files: scripts/links.py

A relative link or picture leads to a file of the repository, and a `#fragment` to a heading of that page. Articles of DocC name a picture of
their `Resources`; their `<doc:…>` and links to symbols are checked by scripts/docs.sh. Prints one line for each fault, and ends with 1 if there is one.
"""
import re
import subprocess
import sys
from pathlib import Path

root = Path(__file__).resolve().parent.parent
names = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"], cwd=root, capture_output=True,
                       text=True, check=True).stdout.split("\n")
pages = [root / name for name in names if name and (root / name).exists()]


def prose(page):
    """The lines outside of code blocks, without code in back quotes."""
    lines, is_code = [], False
    for line in page.read_text(encoding="utf-8").split("\n"):
        if line.lstrip().startswith("```"): is_code = not is_code
        elif not is_code: lines.append(line)
    return lines


def anchors(page):
    """The fragments of the headings, as code hosts make them: lower case, no punctuation, hyphens for spaces."""
    found = {}
    for line in prose(page):
        heading = re.match(r"#+ +(.*)", line)
        if not heading: continue
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        found[anchor] = found.get(anchor, -1) + 1
    return {anchor if number == 0 else f"{anchor}-{number}" for anchor, last in found.items() for number in range(last + 1)}


faults, count = [], 0
for page in pages:
    text = re.sub(r"`[^`\n]*`", "", "\n".join(prose(page)))
    for target in re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r"<img[^>]* src=\"([^\"]+)\"", text):
        if re.match(r"[a-z]+:", target): continue
        count += 1
        path, _, fragment = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if page.parent.suffix == ".docc": file = next(page.parent.glob(f"Resources/{path}.*"), file)
        where = f"{page.relative_to(root)}: {target}"
        if not file.is_relative_to(root) or not file.exists(): faults.append(f"{where}: there is no such file")
        elif fragment and file.suffix == ".md" and fragment not in anchors(file): faults.append(f"{where}: there is no such heading")
if count < 50: faults.append(f"only {count} links were found")
for fault in faults: print(fault)
if faults: sys.exit(f"{len(faults)} faults in the links.")
