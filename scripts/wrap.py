#!/usr/bin/env python3
"""Wraps the prose of the Markdown files at 120 columns: scripts/wrap.py [--check] [FILE…]

A paragraph with a longer line is filled anew; the others stay as they are. Front matter, headings, quotes, tables, code, HTML and link
definitions are never changed, nor are hard breaks. Code in back quotes, links with short texts, targets of links and `<…>` stay on one line, and no
line begins with what Markdown would take for a list, a heading, a quote, a table or a fence. Without a FILE: every page of the repository,
except for those of .github, where the host shows each end of a line as a break. --check changes nothing, prints FILE:LINE for each line
that is too long, and ends with 1 if there is one.
"""
import re
import subprocess
import sys
from pathlib import Path

WIDTH = 120
root = Path(__file__).resolve().parent.parent

# Within a paragraph: what no line is broken in. Code comes first, because it may contain the others; then links with short texts, and
# the targets of the others.
TARGET = r"\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)"
ATOM = re.compile(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)|\[[^\[\]]{1,50}" + TARGET + "|" + TARGET + r"|<[^<>]*>|\S", re.S)
# What begins something else than a line of the paragraph.
UNSAFE = re.compile(r"([-+*]|\d{1,9}[.)]|#{1,6}|=+|-+)$|[|>]|```|~~~|<[/!?A-Za-z](?!\w*:)|\[[^\]]*\]:")
ITEM = re.compile(r"( *)([-+*]|\d{1,9}[.)])( +)(?=\S)")
VERBATIM = re.compile(r" {0,3}(#{1,6}( |$)|\||>|((\*|-|_) *){3,}$|=+$|\[[^\]]+\]:)")
TAG = re.compile(r" {0,3}</?[A-Za-z][\w-]*(\s[^>]*|\s*/)?>?\s*$|"
                 r" {0,3}</?(address|article|aside|blockquote|center|details|div|dl|figure|h[1-6]|hr|li|ol|p|picture|pre|section|source|"
                 r"style|summary|table|tbody|td|th|thead|tr|ul|video)\b", re.I)


def words(text):
    """The pieces between which a line may end."""
    found, begin, end = [], None, 0
    for atom in ATOM.finditer(text):
        if begin is not None and atom.start() > end:
            found.append(text[begin:end])
            begin = None
        if begin is None: begin = atom.start()
        end = atom.end()
    if begin is not None: found.append(text[begin:end])
    # A backslash at the end of a line would be a hard break.
    safe = []
    for word in (re.sub(r"\s*\n\s*", " ", word) for word in found):
        if safe and (UNSAFE.match(word) or safe[-1].endswith("\\")): safe[-1] += " " + word
        else: safe.append(word)
    return safe


def filled(lines, first, other):
    """The lines of a paragraph, whose first one begins with `first` and the others with `other`."""
    result, part = [], []
    for number, line in enumerate(lines):
        part.append(line.strip())
        is_break = line.endswith("  ") or line.endswith("\\")
        if not is_break and number + 1 < len(lines): continue
        row = ""
        for word in words("\n".join(part)):
            prefix = other if result else first
            if row and len(prefix) + len(row) + 1 + len(word) > WIDTH:
                result.append(prefix + row)
                row = ""
            row += (" " if row else "") + word
        result.append((other if result else first) + row + ("  " if line.endswith("  ") and number + 1 < len(lines) else ""))
        part = []
    return result


def wrapped(text):
    """The text with its paragraphs filled, and the number of each line of it that was too long."""
    lines, result, long = text.split("\n"), [], []
    paragraph, first, other = [], "", ""
    # Where the text of each list item around this line begins.
    columns, fence, in_html, is_blank = [], None, None, True

    def flush():
        if not paragraph: return
        # An item may begin with a heading, or something else than prose.
        is_prose = not UNSAFE.match(paragraph[0][1].split()[0])
        numbers = [number for number, _ in paragraph if is_prose and len(lines[number].rstrip()) > WIDTH]
        old = [lines[number] for number, _ in paragraph]
        new = filled([line for _, line in paragraph], first, other) if numbers else old
        if new != old: long.extend(numbers)
        result.extend(new)
        paragraph.clear()

    start = 0
    if lines[0] == "---" and "---" in lines[1:]: start = lines.index("---", 1) + 1
    result += lines[:start]
    for number, line in enumerate(lines[start:], start):
        indent, bare = len(line) - len(line.lstrip(" ")), line.strip()
        is_end = fence and re.fullmatch(re.escape(fence[0]) + "{" + str(len(fence)) + ",}", bare)
        if fence or in_html:
            result.append(line)
            if is_end: fence = None
            if in_html and (in_html in line if in_html != "blank" else not bare): in_html = None
            is_blank = not bare
            continue
        if not bare:
            flush()
            result.append(line)
            is_blank = True
            continue
        if is_blank or not paragraph:
            while columns and indent < columns[-1] and not (ITEM.match(line) and indent >= columns[-1]): columns.pop()
        base = columns[-1] if columns else 0
        inner = line[base:] if indent >= base else line.lstrip(" ")
        item = ITEM.match(line) if paragraph or indent < base + 4 else None
        # An ordered list interrupts a paragraph only where it begins with 1, or goes on.
        if item and paragraph and not columns and item[2][0].isdigit() and item[2][:-1] != "1": item = None
        mark = re.match(r"(`{3,}|~{3,})", bare)
        if mark or VERBATIM.match(inner) or (bare.startswith("<!--")) or (not paragraph and TAG.match(inner)):
            if paragraph and re.fullmatch(r"-+|=+", bare):  # It makes a heading of the paragraph above it.
                result.extend(lines[at] for at, _ in paragraph)
                paragraph.clear()
            flush()
            result.append(line)
            if mark: fence = mark[1]
            elif bare.startswith("<!--"): in_html = None if "-->" in bare else "-->"
            elif TAG.match(inner): in_html = "blank"
        elif not paragraph and indent >= base + 4:
            result.append(line)
        elif item:
            flush()
            while columns and indent < columns[-1]: columns.pop()
            columns.append(len(item[0]))
            first, other = item[0], " " * len(item[0])
            paragraph.append((number, line[len(item[0]):]))
        else:
            if not paragraph: first, other = " " * indent, " " * indent
            paragraph.append((number, line))
        is_blank = False
    flush()
    return "\n".join(result), long


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    if any(argument.startswith("-") for argument in arguments): sys.exit(__doc__)
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"], cwd=root, capture_output=True,
                            text=True, check=True).stdout.split("\n")
    pages = [Path(name) for name in arguments] or [root / name for name in listed if name and not name.startswith(".github/")]
    count = 0
    for page in pages:
        if not page.exists(): continue
        text = page.read_text(encoding="utf-8")
        fresh, long = wrapped(text)
        if "--check" in sys.argv[1:]:
            name = page.relative_to(root) if page.is_relative_to(root) else page
            for number in long: print(f"{name}:{number + 1}: longer than {WIDTH} columns")
            count += len(long)
        elif fresh != text: page.write_text(fresh, encoding="utf-8")
    if count: sys.exit(f"{count} lines of prose are too long: scripts/wrap.py wraps them.")


main()
