#!/usr/bin/env python3
"""Compares the tiles of the contact sheet with vipsthumbnail's, picture by picture: tiles.py GANNET FOLDER [DECIBEL].

Every picture of the folder is fitted into 240 x 180, in sRGB, by both; the peak signal-to-noise ratio of their pixels must reach
DECIBEL (35). Prints a Markdown table and fails when one picture does not."""
import json, math, os, subprocess, sys, tempfile

gannet, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
goal = float(sys.argv[3]) if len(sys.argv) > 3 else 35.0
box = "240x180"


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed: {done.stderr.strip()}")
    return done.stdout


def info(path):
    return json.loads(run(gannet, "info", "--json", path).splitlines()[0])


def pixels(path, work):
    facts = info(path)
    raw = os.path.join(work, "pixels.rgba")
    run(gannet, "decode", path, "--output", raw)
    with open(raw, "rb") as file:
        return (facts["width"], facts["height"]), file.read()


def decibel(one, other):
    # Red, green and blue of opaque pictures.
    total = sum((a - b) * (a - b) for a, b in zip(one, other))
    mean = total / (len(one) * 3 / 4)
    return math.inf if mean == 0 else 10 * math.log10(255 * 255 / mean)


rows, bad = [], []
with tempfile.TemporaryDirectory() as work:
    for name in sorted(os.listdir(folder)):
        if not name.lower().endswith((".jpg", ".jpeg", ".png", ".webp")):
            continue
        source = os.path.join(folder, name)
        ours, theirs = os.path.join(work, "ours.png"), os.path.join(work, "theirs.png")
        run(gannet, "convert", source, ours, "--thumbnail", box)
        size, one = pixels(ours, work)
        # Without a profile there is nothing to convert: libvips would go to Lab and back by a profile of its own.
        to_srgb = ["--export-profile", "srgb"] if info(source).get("iccBytes") else []
        width, height = size
        # "!": this size exactly. vips rounds the longer side from what its decoder has shrunk already.
        run("vipsthumbnail", source, "--size", f"{width}x{height}!", *to_srgb, "--output", theirs + "[strip]")
        value = decibel(one, pixels(theirs, work)[1])
        rows.append((name, size, value))
        if value < goal:
            bad.append(name)
print("| picture | size | PSNR, dB |\n|---|---|---:|")
for name, size, value in rows:
    print(f"| {name} | {size[0]} x {size[1]} | {value:.1f} |")
print(f"\n{len(rows)} pictures, least {min(row[2] for row in rows):.1f} dB, {len(bad)} under {goal:g} dB")
sys.exit(1 if bad or not rows else 0)
