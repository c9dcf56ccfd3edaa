#!/usr/bin/env python3
"""Checks a batch of the images of images.py: check.py COUNT OUT LEDGER LOST [RESULTS…]

Every output is there, whole, of its own image and fits 64 × 64. The files of LEDGER have every result that any process wrote: no image was done twice
(a result that is neither skipped nor failed), and none failed. At most LOST images have only skipped results: a killed process had finished them, and
its result was not read. The files RESULTS are what the batch's user gets: every image is in them. With names like 3.jsonl of a folder with 8 files they
are those of the shards, and each has the sources that the formula of Documentation/batches says.
"""
import json
import os
import re
import struct
import sys
import zlib
from collections import Counter
from pathlib import Path

count, out, ledger, lost, files = int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5:]
faults = []


def first_pixel(data):
    """Width, height and the first pixel of a PNG file. What filters add to the first pixel of the first row is 0."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n") and data.endswith(b"IEND\xaeB`\x82")
    at, packed, palette = 8, b"", b""
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        assert struct.unpack_from(">I", data, at + 8 + length)[0] == zlib.crc32(kind + body)
        if kind == b"IHDR": width, height, depth, color = struct.unpack_from(">IIBB", body)
        elif kind == b"PLTE": palette = body
        elif kind == b"IDAT": packed += body
        at += length + 12
    row = zlib.decompress(packed)[1:]
    if color == 3:
        index = row[0] >> (8 - depth)
        return width, height, palette[3 * index : 3 * index + 3]
    step = depth // 8
    return width, height, bytes(row[0:3 * step:step]) if color in (2, 6) else bytes([row[0]]) * 3


for number in range(count):
    width, height = 65 + number % 31, 65 + number // 31 % 29
    try:
        got = first_pixel(Path(f"{out}/{number:06}.png").read_bytes())
    except (OSError, AssertionError, struct.error, zlib.error) as error:
        faults.append(f"{number:06}.png: {error!r}")
        continue
    long, short = max(got[:2]), min(got[:2])
    if long != 64 or (got[0] > got[1]) != (width > height) and short != 64 or abs(short - 64 * min(width, height) / max(width, height)) > 1:
        faults.append(f"{number:06}.png is {got[0]} x {got[1]}, of {width} x {height}")
    if got[2] != number.to_bytes(3, "big"): faults.append(f"{number:06}.png has another image's colour: {got[2].hex()}")

others = set(os.listdir(out)) - {f"{number:06}.png" for number in range(count)}
unfinished = {name for name in others if name.startswith(".gannet.") and name.endswith(".part")}
if others - unfinished: faults.append(f"files that nobody asked for: {sorted(others - unfinished)[:5]}")


def results(path):
    """The summary at the end of a shard has no source."""
    for line in Path(path).read_text().splitlines():
        result = json.loads(line)
        if "source" in result: yield result


expected = {f"images/{number:06}.png" for number in range(count)}
done, skipped = Counter(), Counter()
for path in Path(ledger).glob("*.jsonl"):
    for result in results(path):
        if not result["ok"]: faults.append(f"failed: {result}")
        (skipped if result.get("skipped") else done)[result["source"]] += 1
twice = [source for source, times in done.items() if times > 1]
if twice: faults.append(f"{len(twice)} were done twice: {sorted(twice)[:5]}")
unreported = expected - set(done)
if len(unreported) > lost: faults.append(f"{len(unreported)} have no result but skipped, more than {lost}")
if unreported - set(skipped): faults.append(f"{len(unreported - set(skipped))} have no result")

got = [(path, result["source"]) for path in files for result in results(path)]
if files and {source for _, source in got} != expected: faults.append(f"{len(expected - {source for _, source in got})} are not in the results")
if files and all(re.fullmatch(r"\d+\.jsonl", os.path.basename(path)) for path in files):
    # The function of the page.
    page = (Path(__file__).resolve().parents[2] / "Documentation/batches/README.md").read_text()
    exec(re.search(r"```python\n(.*?)```", page, re.S).group(1))
    wrong = [(path, source) for path, source in got if f"{shard(source, len(files))}.jsonl" != os.path.basename(path)]
    if wrong: faults.append(f"{len(wrong)} in another shard than the page says: {wrong[:3]}")

for fault in faults[:20]: print(fault, file=sys.stderr)
if faults: sys.exit(f"{len(faults)} faults")
print(f"{count} images, all there and right: {len(done)} done once, {len(unreported)} finished by a killed process that did not report them, "
      f"{sum(skipped.values())} skipped, {len(unfinished)} temporary files left by killed processes")
