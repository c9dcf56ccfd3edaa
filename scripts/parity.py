#!/usr/bin/env python3
"""Checks the tables of what the peers have against the tests here: scripts/parity.py

Documentation/internals/Parity.md: every row has a unique id and a state, the sums are right, and every row that is done or deviates cites a test,
a figure or a file. A cited file exists. A cited test exists and names the id in a comment, directly above it or inside of it. No test
names an id that is no row.
Documentation/internals/PeerTests.md: every cited test exists, and the sums are right.
scripts/peer-names.txt: every public name and option of a peer stands on the page for those who come from there.

Prints one line for each fault, and ends with 1 if there is one.
"""
import re
import sys
from collections import Counter
from pathlib import Path

root = Path(__file__).resolve().parent.parent
faults = []


def check(holds, fault):
    if not holds: faults.append(fault)


# Tests

def indent(line): return len(line) - len(line.lstrip())


def function_after(lines, start):
    """The line and the name of the function that the attribute in `lines[start]` belongs to."""
    for number in range(start, min(start + 60, len(lines))):
        found = re.search(r"\bfunc (?:`([^`]+)`|(\w+))", lines[number]) or re.match(r"\s*`([^`]+)`()", lines[number])
        if found: return number, found[1] or found[2]
    return start, None


def comments_around(lines, start, function):
    """All comments directly above the test whose attribute is in `lines[start]`, and inside of it."""
    first, last = start, function
    while first > 0 and re.match(r"\s*(//|@)", lines[first - 1]): first -= 1
    if not lines[function].endswith("}"):
        while last + 1 < len(lines) and lines[last] != " " * indent(lines[start]) + "}": last += 1
    return [line.split("//", 1)[1] for line in lines[first:last + 1] if "//" in line]


def all_tests():
    """The comments of every test, by `Suite.test`."""
    found = {}
    for path in sorted((root / "Tests").rglob("*.swift")):
        lines = path.read_text().split("\n")
        # Types that have begun and not ended: their indentation and their names.
        types = []
        for number, line in enumerate(lines):
            if line.strip() == "}": types = [type for type in types if type[0] < indent(line)]
            code = line.split("  //")[0].rstrip()
            type = re.match(r"[^\"`]*\b(?:struct|class|actor|enum|extension) (\w+)|@Suite.*\b(?:struct|class) (\w+)", code.strip())
            if type and code.endswith("{"): types.append((indent(line), type[1] or type[2]))
            if not re.match(r"\s*(@\w+(\(.*\))? )*@Test\b", line): continue
            function, name = function_after(lines, number)
            check(name and types, f"{path.relative_to(root)}:{number + 1}: a test without a name or a suite")
            if name and types: found[f"{types[-1][1]}.{name}"] = comments_around(lines, number, function)
    return found


# Tables

def cells(line): return [cell.strip() for cell in line.strip().strip("|").split(" | ")]


def check_rows(tests):
    page = (root / "Documentation/internals/Parity.md").read_text()
    states, seen = Counter(), set()
    for line in page.splitlines():
        row = re.match(r"\| ([A-Z][A-Z0-9]?-\d\d) \|", line)
        if not row: continue
        id, columns = row[1], [cell.strip() for cell in line.split("|")[1:-1]]
        check(id not in seen, f"{id} stands there twice")
        seen.add(id)
        check(len(columns) == 4, f"{id} has {len(columns)} columns")
        state = re.match(r"done|deviates|missing|n/a", columns[2])
        check(state, f"{id} has no state: {columns[2]}")
        if not state or len(columns) != 4: continue
        states[state[0]] += 1
        cited = re.findall(r"`([^`]+)`", columns[3])
        check(cited or state[0] in ("missing", "n/a"), f"{id} is {state[0]}, and nothing shows it")
        check(state[0] not in ("deviates", "missing") or ": " in columns[2], f"{id} does not say what {state[0]}")
        for name in cited:
            if "/" in name: check((root / name).exists(), f"{id}: there is no {name}")
            elif name not in tests: faults.append(f"{id}: there is no test {name}")
            else:
                named = any(re.search(rf"\b{id}\b", comment) for comment in tests[name])
                check(named, f"{id}: {name} does not name it")
    check(len(seen) > 400, f"only {len(seen)} rows were found")
    prefixes = "|".join({id.split("-")[0] for id in seen})
    for name, comments in tests.items():
        for id in re.findall(rf"\b(?:{prefixes})-\d\d\b", " ".join(comments)): check(id in seen, f"{name} names {id}, which is no row")
    order = ["done", "deviates", "n/a", "missing"]
    sums = ", ".join(f"{states[state]} {state}" for state in order) + f", of {len(seen)}."
    check(sums in " ".join(page.split()), f"Parity.md should say: {sums}")


def check_peer_tests(tests):
    page = (root / "Documentation/internals/PeerTests.md").read_text()
    counts, rows = Counter(), 0
    for line in page.splitlines():
        if not line.startswith("| ") or line == "| theirs | here |": continue
        columns = cells(line)
        rows += 1
        if len(columns) != 2:
            faults.append(f"PeerTests.md: not two columns: {line}")
            continue
        theirs, here = columns
        cited = [name for name in re.findall(r"`([^`]+)`", here) if "Tests." in name]
        for name in cited: check(name in tests, f"PeerTests.md: {theirs}: there is no test {name}")
        answered = cited or here.startswith(("n/a: ", "missing: ", "deviates: ", "the thread"))
        check(answered, f"PeerTests.md: {theirs}: {here}")
        if theirs.startswith("`test"):
            state = "shown" if here.startswith("`") else re.match(r"[a-z/]*", here)[0]
            counts[state] += len(theirs.split(", "))
    check(rows > 400, f"PeerTests.md: only {rows} rows were found")
    words = " ".join(page.split())
    check(f"{counts['shown']} shown, {counts['n/a']} n/a " in words and f", {counts['missing']} missing." in words,
          f"PeerTests.md should say: {counts['shown']} shown, {counts['n/a']} n/a …, {counts['missing']} missing.")


def check_peer_names():
    """A section begins with `[peer options COUNT]` (names in back quotes anywhere) or `[peer names COUNT]` (in a first column)."""
    sections = re.split(r"^\[(\w+) (\w+) (\d+)\]$", (root / "scripts/peer-names.txt").read_text(), flags=re.M)[1:]
    for peer, kind, count, text in zip(*[iter(sections)] * 4):
        page = (root / f"Documentation/coming-from-{peer}.md").read_text()
        first = "\n".join(cells(line)[0] for line in page.splitlines() if line.startswith("| "))
        names = text.split()
        check(len(names) == int(count), f"peer-names.txt: {peer} {kind}: {len(names)} names, not {count}")
        words = set(re.findall(r"\w+", first))
        for name in names:
            stands = name in words if kind == "names" else f"`{name}`" in page
            check(stands, f"coming-from-{peer}.md has no line for {name}")
    check(len(sections) == 6 * 4, "peer-names.txt: a section is missing")


tests = all_tests()
check(len(tests) > 1000, f"only {len(tests)} tests were found")
check_rows(tests)
check_peer_tests(tests)
check_peer_names()
for fault in faults: print(fault)
if faults: sys.exit(f"{len(faults)} faults in the tables of parity.")
