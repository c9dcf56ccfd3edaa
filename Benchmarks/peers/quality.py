#!/usr/bin/env python3
"""How good thumbnails are at equal bytes: SSIMULACRA2 of each program's JPEG against the source reduced by Lanczos in linear light.

    peers/quality.py FOLDER --gannet PROGRAM [--side 400] [--count N] [--jobs N]

FOLDER has photographs. Three groups of sources are made of them, of 768, 2,000 and 4,000 pixels on the long side, as JPEG of quality 92:
only a photograph that is at least as large counts. Every program makes a thumbnail of SIDE pixels; its quality is the highest whose file
is no larger than libjpeg-turbo's of quality 80 of the reference. Prints one JSON object a line: group, source, program, quality, bytes,
score. Scores say nothing about speed, so other programs may run meanwhile.
"""
import argparse, concurrent.futures, io, json, os, pathlib, subprocess, sys, tempfile

import numpy
import pyvips
from PIL import Image
from ssimulacra2 import compute_ssimulacra2

GROUPS = (768, 2000, 4000)
HEAD = """# Quality at equal bytes

`scripts/benchmark.sh quality` wrote this page, of commit {commit}. Sources of three sizes (JPEG of quality 92, made of the photographs), as
thumbnails of {side} pixels. Each program has the highest quality whose file is no larger than libjpeg-turbo's of quality 80 of the
reference; the reference is the source reduced by Lanczos 3 in linear light. The score is the mean SSIMULACRA2, 100 at most; behind it,
the bytes, of those allowed. The two rows of the reference itself are what an encoder alone could reach.
"""


def linear(pixels):
    value = pixels.astype(numpy.float32) / 255
    return numpy.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def encoded(value):
    value = numpy.clip(value, 0, 1)
    return numpy.where(value <= 0.0031308, value * 12.92, 1.055 * value ** (1 / 2.4) - 0.055)


def reduced(image, size):
    """Lanczos in linear light, each channel in floating point."""
    planes = linear(numpy.asarray(image))
    channels = [numpy.asarray(Image.fromarray(planes[..., index], "F").resize(size, Image.LANCZOS)) for index in range(3)]
    return Image.fromarray((encoded(numpy.stack(channels, -1)) * 255 + 0.5).astype(numpy.uint8))


def fitted(size, side):
    width, height = size
    scale = side / max(width, height)
    return max(1, round(width * scale)), max(1, round(height * scale))


def turbo(image, quality):
    out = io.BytesIO()
    image.save(out, "JPEG", quality=quality, optimize=True)
    return out.getvalue()


# In a process of its own: two libjpegs in one break each other.
MOZJPEG = """
import sys, jpeglib, numpy
from PIL import Image
pixels = numpy.array(Image.open(sys.argv[1]))
with jpeglib.version("mozjpeg403"): jpeglib.from_spatial(pixels).write_spatial(sys.argv[2], qt=int(sys.argv[3]))
"""


def mozjpeg(image, quality):
    with tempfile.TemporaryDirectory() as folder:
        before, after = os.path.join(folder, "in.ppm"), os.path.join(folder, "out.jpg")
        image.save(before)
        subprocess.run([sys.executable, "-c", MOZJPEG, before, after, str(quality)], check=True)
        return pathlib.Path(after).read_bytes()


class Vips:
    def __init__(self, linear): self.linear = linear

    def __call__(self, path, size, quality):
        image = pyvips.Image.thumbnail(path, size[0], height=size[1], size="force", linear=self.linear)
        return image.jpegsave_buffer(Q=quality, optimize_coding=True, strip=True)


class Pillow:
    """`thumbnail()`, as everyone calls it: the JPEG decoder reduces first."""

    def __call__(self, path, size, quality):
        image = Image.open(path)
        image.thumbnail(size, Image.LANCZOS)
        return turbo(image, quality)


class Gannet:
    def __init__(self, program, options=()): self.program, self.options = program, options

    def __call__(self, path, size, quality):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "out.jpg")
            subprocess.run([self.program, "convert", path, out, "--thumbnail", f"{size[0]}x{size[1]}", "--mode", "stretch", "--quality",
                            str(quality), "--no-cache", "--sandbox", "no", *self.options], check=True, capture_output=True)
            return pathlib.Path(out).read_bytes()


class Ideal:
    """The reference itself: what an encoder can reach at most."""

    def __init__(self, encode): self.encode, self.pixels = encode, None

    def __call__(self, path, size, quality): return self.encode(reduced(Image.open(path).convert("RGB"), size), quality)


def best(program, path, size, budget):
    """The file of the highest quality within the budget."""
    low, high, found = 1, 100, None
    while low <= high:
        middle = (low + high) // 2
        data = program(path, size, middle)
        if len(data) <= budget: found, low = (middle, data), middle + 1
        else: high = middle - 1
    return found


def score(reference, data, folder):
    image = Image.open(io.BytesIO(data)).convert("RGB")
    if image.size != reference.size: raise SystemExit(f"a thumbnail of {image.size} instead of {reference.size}")
    path = os.path.join(folder, "judged.png")
    image.save(path)
    original = os.path.join(folder, "reference.png")
    reference.save(original)
    return compute_ssimulacra2(original, path)


def measure(group, name, path, side, programs):
    lines = []
    source = Image.open(path).convert("RGB")
    size = fitted(source.size, side)
    reference = reduced(source, size)
    budget = len(turbo(reference, 80))
    with tempfile.TemporaryDirectory() as folder:
        for program, make in programs.items():
            found = best(make, path, size, budget)
            if found is None: continue
            quality, data = found
            lines.append({"group": group, "source": name, "program": program, "quality": quality, "bytes": len(data), "budget": budget,
                          "score": round(score(reference, data, folder), 2)})
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--gannet", required=True)
    parser.add_argument("--side", type=int, default=400)
    parser.add_argument("--count", type=int, default=12, help="photographs of each group")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--page", help="where the table goes, as Markdown")
    parser.add_argument("--commit", default="unknown", help="of gannet, for the page")
    parser.add_argument("--option", action="append", default=[], help="a further run of gannet with these options")
    arguments = parser.parse_args()
    programs = {"gannet": Gannet(arguments.gannet), "libvips": Vips(False), "libvips, linear": Vips(True), "Pillow": Pillow(),
                "reference, libjpeg-turbo": Ideal(turbo), "reference, mozjpeg": Ideal(mozjpeg)}
    for option in arguments.option: programs["gannet " + option] = Gannet(arguments.gannet, option.split())
    photographs = []
    for path in sorted(pathlib.Path(arguments.folder).iterdir()):
        try:
            with Image.open(path) as image: photographs.append((max(image.size), path))
        except OSError: continue
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        waiting = []
        for group in GROUPS:
            # The smallest that are large enough: other photographs for each group.
            for longest, path in sorted(one for one in photographs if one[0] >= group)[:arguments.count]:
                with Image.open(path) as image: source = image.convert("RGB")
                if longest > group: source = reduced(source, fitted(source.size, group))
                made = os.path.join(folder, f"{group}-{path.stem}.jpg")
                source.save(made, quality=92)
                waiting.append(pool.submit(measure, group, path.name, made, arguments.side, programs))
        sums = {}
        for one in waiting:
            for line in one.result():
                print(json.dumps(line), flush=True)
                sums.setdefault((line["group"], line["program"]), []).append((line["score"], line["bytes"] / line["budget"]))
    if arguments.page: pathlib.Path(arguments.page).write_text(page(sums, arguments, programs), encoding="utf-8")


def page(sums, arguments, programs):
    """The results as Markdown."""
    def mean(group, program, index):
        values = sums.get((group, program), [])
        return sum(value[index] for value in values) / len(values) if values else None
    lines = [HEAD.format(side=arguments.side, commit=arguments.commit)]
    lines += ["| | " + " | ".join(f"{group} px, {len(sums[group, 'gannet'])} sources" for group in GROUPS) + " |", "|---|" + "---|" * len(GROUPS)]
    ranked = sorted(programs, key=lambda program: -sum(mean(group, program, 0) or 0 for group in GROUPS))
    for program in ranked:
        cells = [f"{mean(group, program, 0):.1f} ({mean(group, program, 1):.3f})" if mean(group, program, 0) else "" for group in GROUPS]
        lines.append(f"| {program} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


main()
