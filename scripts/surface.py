#!/usr/bin/env python3
"""Counts the public types by module: what a reader of the reference meets.

    scripts/surface.py [--list] [--since COMMIT]      --list: with the names; --since: which are gone or new since then

Reads Documentation/public-symbols.txt, which scripts/docs.sh keeps true. Needs no build. `import Gannet` brings the types that
Sources/Gannet re-exports by name.
"""
import pathlib, re, subprocess, sys

LIST = "Documentation/public-symbols.txt"
TYPE = re.compile(r"(\w+): (?:struct|class|enum|actor|protocol|typealias) (.+)")


def types(text):
    """(module, name) of every type, nested ones too."""
    return {found.groups() for found in map(TYPE.fullmatch, text.splitlines()) if found}


def exported(module, seen):
    """What an import of this one brings: whole modules as (module, None), and single types as (module, name)."""
    if (module, None) in seen: return seen
    seen.add((module, None))
    for path in pathlib.Path("Sources", module).rglob("*.swift"):
        text = path.read_text(encoding="utf-8")
        for other, name in re.findall(r"@_exported public import (?:\w+ )?(\w+)(?:\.(\w+))?$", text, re.MULTILINE):
            if name: seen.add((other, name))
            else: exported(other, seen)
    return seen


def table(known):
    """Lines of Markdown: one row a module, and the two sums."""
    imported = exported("Gannet", set())
    # A type brings those inside of it.
    brought = [one for one in known if (one[0], None) in imported or (one[0], one[1].split(".")[0]) in imported]
    count = {module: sum(one == module for one, _ in known) for module in sorted({module for module, _ in known})}
    rows = [(f"`{module}`", number, sum(one == module for one, _ in brought) or "") for module, number in count.items()]
    rows += [("all products", sum(count.values()), len(brought))]
    return ["| module | public types | with `import Gannet` |", "|---|---|---|"] + [f"| {name} | {number} | {few} |" for name, number, few in rows]


arguments = sys.argv[1:]
now = types(pathlib.Path(LIST).read_text(encoding="utf-8"))
print("\n".join(table(now)))
if "--list" in arguments:
    for module, name in sorted(now): print(f"{module}: {name}")
if "--since" in arguments:
    commit = arguments[arguments.index("--since") + 1]
    before = types(subprocess.run(["git", "show", f"{commit}:{LIST}"], check=True, capture_output=True, text=True).stdout)
    for module, name in sorted(before - now): print(f"gone: {module}: {name}")
    for module, name in sorted(now - before): print(f"new: {module}: {name}")
