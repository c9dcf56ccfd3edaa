#!/usr/bin/env python3
"""The table of wall.md, of the JSON lines that WallBenchmark prints.

    wall-table.py FILE
"""
import json
import sys

COLUMNS = [
    ("frames", "frames"), ("median frame, ms", "median_frame_ms"), ("99 %", "p99_frame_ms"), ("longest", "longest_frame_ms"),
    ("frames over 16.7", "frames_over_16_7_ms"), ("median interval", "median_interval_ms"), ("99 %", "p99_interval_ms"),
    ("longest", "longest_interval_ms"), ("decodes", "decodes"), ("of them cancelled", "cancelled_decodes"), ("peak MiB", "peak_mib"),
]


def text(value):
    return f"{value:,}" if isinstance(value, int) else f"{value:.2f}" if value < 100 else f"{value:.1f}"


print("| | " + " | ".join(title for title, _ in COLUMNS) + " |")
print("|---|" + "---:|" * len(COLUMNS))
for line in open(sys.argv[1]):
    if not line.startswith("{"):
        sys.exit(line.strip())
    entry = json.loads(line)
    print(f"| {entry['case'].split(', ')[-1]} | " + " | ".join(text(entry[name]) for _, name in COLUMNS) + " |")
