#!/usr/bin/env python3
"""Gain maps beside libultrahdr, and tone mapping beside libplacebo; see scripts/hdr.sh.

    compare.py GANNET SCENES PHOTOGRAPHS PAGE [--commit COMMIT]      two folders, and the page whose tables are written anew

SCENES has images in PQ or HLG, of which libultrahdr makes JPEGs with a gain map; PHOTOGRAPHS has such JPEGs.
"""
import argparse, pathlib, re, struct, subprocess, sys, tempfile, zlib
import imagecodecs, numpy as np

WHITE = 203.0
# To linear BT.2020, by the primaries of BT.2087 and SMPTE EG 432-1.
GAMUTS = {
    "BT.709": np.array([[0.6274039, 0.3292830, 0.0433131], [0.0690973, 0.9195404, 0.0113623], [0.0163914, 0.0880133, 0.8955953]]),
    "P3": np.array([[0.7538330, 0.1985974, 0.0475696], [0.0457438, 0.9417772, 0.0124789], [-0.0012103, 0.0176017, 0.9836086]]),
    "BT.2020": np.eye(3),
}
M1, M2, C1, C2, C3 = 2610 / 16384, 2523 / 32, 3424 / 4096, 2413 / 128, 2392 / 128


def light(signal):
    """Of PQ (SMPTE ST 2084), as a ratio to white."""
    power = np.power(signal, 1 / M2)
    return 10_000 / WHITE * np.power(np.maximum(power - C1, 0) / (C2 - C3 * power), 1 / M1)


def run(*words): return subprocess.run([str(word) for word in words], check=True, capture_output=True)


def samples(path):
    pixels = imagecodecs.png_decode(pathlib.Path(path).read_bytes())[..., :3]
    return pixels.astype(np.float64) / (65535 if pixels.dtype == np.uint16 else 255)


class Programs:
    def __init__(self, gannet, folder): self.gannet, self.folder = gannet, folder

    def light(self, image):
        """Of an image in high range, by Gannet: linear BT.2020."""
        file = self.folder / "light.png"
        run(self.gannet, "convert", image, file, "--hdr", "--force")
        return light(samples(file))

    def signal(self, image):
        file = self.folder / "signal.png"
        run(self.gannet, "convert", image, file, "--hdr", "--force")
        return samples(file)

    def applied(self, jpeg, width, height):
        """The map applied in full by libultrahdr: linear, in primaries that the file does not tell."""
        file = self.folder / "applied.raw"
        run("ultrahdr_app", "-m", 1, "-j", jpeg, "-o", 0, "-O", 4, "-z", file)
        return np.fromfile(file, dtype=np.float16).reshape(height, width, 4)[..., :3].astype(np.float64)

    def encoded(self, signal, name, options):
        """A JPEG with a gain map by libultrahdr, of a signal in PQ."""
        height, width = signal.shape[0] & ~1, signal.shape[1] & ~1
        numbers = np.round(signal[:height, :width] * 1023).astype(np.uint32)
        packed = numbers[..., 0] | numbers[..., 1] << 10 | numbers[..., 2] << 20 | np.uint32(3 << 30)
        raw, jpeg = self.folder / "scene.raw", self.folder / f"{name}.jpg"
        packed.astype("<u4").tofile(raw)
        run("ultrahdr_app", "-m", 0, "-p", raw, "-w", width, "-h", height, "-a", 5, "-C", 2, "-t", 2, "-R", 1, *options, "-z", jpeg)
        return jpeg


def difference(ours, theirs): return float(np.abs(ours - theirs).mean() / theirs.mean()), float(ours.mean() / theirs.mean() - 1)


def nearest(ours, theirs):
    """Theirs in BT.2020, by the primaries that fit."""
    choices = {name: theirs @ matrix.T for name, matrix in GAMUTS.items()}
    name = min(choices, key=lambda name: difference(ours, choices[name])[0])
    return name, choices[name]


def halved(pixels):
    height, width = pixels.shape[0] & ~1, pixels.shape[1] & ~1
    return pixels[:height, :width].reshape(height // 2, 2, width // 2, 2, 3).mean(axis=(1, 3))


def gain_maps(programs, files):
    rows = []
    for name, kind, jpeg in files:
        ours = programs.light(jpeg)
        gamut, theirs = nearest(ours, programs.applied(jpeg, ours.shape[1], ours.shape[0]))
        whole = difference(ours, theirs)
        # The same by libultrahdr of the file that Gannet has made half as large.
        small = programs.folder / "small.jpg"
        width, height = ours.shape[1] // 2, ours.shape[0] // 2
        run(programs.gannet, "convert", jpeg, small, "--thumbnail", f"{width}x{height}", "--quality", 95, "--linear-light", "--force")
        reduced = programs.light(small)
        applied = programs.applied(small, reduced.shape[1], reduced.shape[0]) @ GAMUTS[gamut].T
        wanted = halved(theirs)
        if applied.shape == wanted.shape: half = difference(applied, wanted)
        else: half = (float("nan"), float(applied.mean() / wanted.mean() - 1))
        rows.append((name, kind, f"{ours.shape[1]} × {ours.shape[0]}", f"{theirs.max():.1f}", gamut, *whole, *half))
    return rows


def lab(srgb):
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    xyz = linear @ np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]).T
    ratio = xyz / np.array([0.95047, 1, 1.08883])
    root = np.where(ratio > 216 / 24389, np.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    return np.stack([116 * root[..., 1] - 16, 500 * (root[..., 0] - root[..., 1]), 200 * (root[..., 1] - root[..., 2])], axis=-1)


def with_peak(png, nits):
    """Its peak is named: libplacebo is told nothing of a PNG's, and takes 10,000 cd/m² for PQ."""
    data = pathlib.Path(png).read_bytes()
    data = re.sub(rb"\x00\x00\x00\x08cLLI.{12}", b"", data, count=1, flags=re.S)
    body = b"cLLI" + struct.pack(">II", nits * 10_000, 0)
    place = data.index(b"IDAT") - 4
    pathlib.Path(png).write_bytes(data[:place] + struct.pack(">I", 8) + body + struct.pack(">I", zlib.crc32(body)) + data[place:])


def tone_maps(programs, scenes):
    rows = []
    filters = "setparams=color_primaries=bt2020:color_trc=smpte2084:range=pc,format=rgba64le,hwupload,libplacebo=tonemapping=bt.2390:{}" \
        ":color_primaries=bt709:color_trc=iec61966-2-1:peak_detect=0:format=rgba,hwdownload,format=rgba"
    for scene in scenes:
        image, ours, theirs = (programs.folder / name for name in ("scene.png", "ours.png", "theirs.png"))
        run(programs.gannet, "convert", scene, image, "--hdr", "--force")
        with_peak(image, 10_000)
        run(programs.gannet, "convert", image, ours, "--force")
        # The knee of the recommendation, which is not libplacebo's default, on luminance.
        run("ffmpeg", "-v", "error", "-y", "-init_hw_device", "vulkan=vk", "-i", image, "-vf", filters.format("tonemapping_param=0.5:tonemapping_mode=luma"),
            "-frames:v", 1, "-update", 1, theirs)
        mine, other = lab(samples(ours)), lab(samples(theirs))
        distance = np.sqrt(((mine - other) ** 2).sum(axis=-1))
        bright = (light(samples(image)) @ np.array([0.2627, 0.6780, 0.0593])) > 0.05
        lightness = (mine - other)[..., 0]
        rows.append((scene.stem, distance.mean(), distance[bright].mean() if bright.any() else float("nan"), np.percentile(distance, 95),
                     lightness[bright].mean() if bright.any() else float("nan"), lightness[~bright].mean() if (~bright).any() else float("nan")))
    return rows


def table(head, rows, styles):
    def cell(value, style): return "–" if isinstance(value, float) and np.isnan(value) else format(value, style)
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join("---" if style == "" else "---:" for style in styles) + "|"]
    return lines + ["| " + " | ".join(cell(value, style) for value, style in zip(row, styles)) + " |" for row in rows]


def main():
    words = argparse.ArgumentParser()
    for name in ("gannet", "scenes", "photographs", "page"): words.add_argument(name, type=pathlib.Path)
    words.add_argument("--commit", default="")
    options = words.parse_args()
    scenes = [path for path in sorted(options.scenes.iterdir()) if path.suffix in (".avif", ".png", ".hdr", ".jxl", ".heic")]
    with tempfile.TemporaryDirectory() as name:
        programs = Programs(options.gannet.resolve(), pathlib.Path(name))
        files = []
        for path in sorted(options.photographs.iterdir()):
            try: run("ultrahdr_app", "-m", 1, "-j", path, "-o", 0, "-O", 4, "-z", programs.folder / "applied.raw")
            except subprocess.CalledProcessError: print(f"{path.name}: libultrahdr finds no gain map that it applies", file=sys.stderr)
            else: files.append((path.stem, "as it is", path))
        for scene in scenes:
            signal = programs.signal(scene)
            for kind, choices in (("one channel, 1/4", ["-M", 0, "-s", 4]), ("three channels, whole", ["-M", 1, "-s", 1])):
                files.append((scene.stem, kind, programs.encoded(signal, f"{scene.stem}-{choices[1]}", choices)))
        maps = gain_maps(programs, files)
        tones = tone_maps(programs, scenes)
    version = subprocess.run(["ultrahdr_app"], capture_output=True, text=True)
    version = re.search(r"v([\d.]+)", version.stdout + version.stderr)
    text = options.page.read_text()
    def put(name, lines):
        nonlocal text
        text, count = re.subn(rf"(<!-- {name}[^>]*-->\n).*?(<!-- end of {name} -->)", lambda match: match[1] + "\n".join(lines) + "\n" + match[2], text, flags=re.S)
        if count != 1: sys.exit(f"{options.page} has no place for {name}.")
    said = f"libultrahdr {version[1] if version else ''}, Gannet {options.commit}.", ""
    put("gain maps", [*said, *table(
        ["image", "gain map", "size", "× white", "primaries", "whole: difference", "light", "half: difference", "light"], maps,
        ["", "", "", "", "", ".2%", "+.2%", ".2%", "+.2%"])])
    put("tone maps", table(
        ["scene", "ΔE", "ΔE above 5 % of white", "95 %", "L*, these", "L*, darker ones"], tones, ["", ".1f", ".1f", ".1f", "+.1f", "+.1f"]))
    options.page.write_text(text)
    # Whatever lies between the samples of a map.
    if wrong := [row[:2] for row in maps if abs(row[6]) > 0.01]: sys.exit(f"The light differs by more than 1 %: {wrong}")


main()
