#!/usr/bin/env python3
"""New thumbnails of other formats and sizes than service.py's, by the protocol of imgproxy's public benchmark of servers: in 512 × 512 at most, two clients on
kept connections, each source once, every service on an empty folder.

    peers/service_formats.py PHOTOS WORK --gannet PROGRAM [--thumbor PROGRAM] [--table service.md] [--quick]

Qualities are the protocol's: 80 for JPEG, 75 for WebP, 65 for AVIF. It has four cases, each of one format in and out; the others are ours. Sources are made of the
photographs, once. A service that cannot do a case has no row in it, and the reason is printed.
"""
import json, os, pathlib, shutil, subprocess, sys, tempfile
from http.client import HTTPConnection, HTTPException

from PIL import Image

import service as harness
from service_process import free_port, until

HERE = pathlib.Path(__file__).resolve().parent
SIDE, AT_ONCE = 512, 2
QUALITY = {"jpeg": 80, "png": 80, "webp": 75, "avif": 65}
# Name, sources, their ending, the format of the result, and how many of them.
CASES = [
    ("JPEG", "large", "jpg", "jpeg", 60), ("PNG", "png", "png", "png", 24), ("WebP", "webp", "webp", "webp", 40), ("AVIF", "avif", "avif", "avif", 24),
    ("JPEG → WebP", "large", "jpg", "webp", 60), ("JPEG → AVIF", "large", "jpg", "avif", 24), ("PNG → JPEG", "png", "png", "jpeg", 24),
    ("GIF → WebP, moving", "gif", "gif", "webp", 8), ("JPEG of 50 megapixels", "huge", "jpg", "jpeg", 6),
]


def make_sources(photos, work, count):
    """Folders of sources by name; what is there stays."""
    large = work / f"large-{count}"
    subprocess.run([sys.executable, HERE / "pictures.py", photos, large, str(count), "--large"], check=True)
    folders = {"large": large} | {name: work / f"{name}-{count}" for name in ("png", "webp", "avif", "gif", "huge")}
    for folder in folders.values():
        folder.mkdir(exist_ok=True)

    def each(name, ending, limit, write):
        for number in range(min(limit, count)):
            path = folders[name] / f"{number}.{ending}"
            if not path.exists():
                with Image.open(large / f"{number}.jpg") as photo:
                    write(photo.convert("RGB"), path.with_suffix(".part"))
                path.with_suffix(".part").rename(path)

    def moving(photo, path):
        # A view that moves over the photograph.
        width, height = min(640, photo.width // 2), min(480, photo.height // 2)
        frames = [photo.crop((8 * step, 4 * step, 8 * step + width, 4 * step + height)).quantize(255) for step in range(24)]
        frames[0].save(path, "GIF", save_all=True, append_images=frames[1:], duration=80, loop=0)

    each("png", "png", 24, lambda photo, path: photo.save(path, "PNG"))
    each("webp", "webp", 40, lambda photo, path: photo.save(path, "WEBP", quality=85))
    each("avif", "avif", 24, lambda photo, path: photo.save(path, "AVIF", quality=70, speed=8))
    each("gif", "gif", 8, moving)
    each("huge", "jpg", 6, lambda photo, path: photo.resize((8660, 5774)).save(path, "JPEG", quality=88))
    return folders


def check(bodies, kind, sizes, moves):
    """Throws if an answer is not the source in that format and size."""
    import io
    for number, body in bodies.items():
        with Image.open(io.BytesIO(body)) as image:
            scale = SIDE / max(sizes[number])
            wrong = [side for side, source in zip(image.size, sizes[number]) if abs(side - min(source * scale, source)) > 1]
            if image.format.lower() != kind or wrong or moves and getattr(image, "n_frames", 1) < 2:
                raise RuntimeError(f"{number}: {image.format} {image.size} of {sizes[number]}, {getattr(image, 'n_frames', 1)} frames")


def measure(one, source, case, sizes, folder):
    """The row of a service in a case."""
    title, _, _, kind, _ = case
    port = free_port()
    tree = one.start(folder, port, source, True)
    try:
        tree.settle()
        tree.forget_peak()
        before = tree.processor_seconds()
        seconds, times, bodies = harness.each_once(port, [one.address(source, number) for number in range(len(sizes))], AT_ONCE)
        tree.settle()
        check(bodies, kind, sizes, title.endswith("moving"))
        return {"requests_per_s": len(times) / seconds, "cpu_ms": (tree.processor_seconds() - before) * 1000 / len(times),
                "p50_ms": harness.percentile(times, 0.5), "peak_mib": tree.peak_mib(), "kib": sum(map(len, bodies.values())) / len(bodies) / 1024}
    finally:
        tree.end()


KEYS = ("requests_per_s", "cpu_ms", "p50_ms", "peak_mib", "kib")
BEGIN, END = "<!-- table of formats: written by peers/service_formats.py -->", "<!-- end of the table of formats -->"


def table(results, versions, rounds):
    lines = [harness.machine() + " " + ", ".join(versions) + f". Medians of {rounds} rounds.", "",
             "| thumbnails | service | requests/s | processor ms a request | p50 ms | peak MiB | KiB each |", "|---|---|---:|---:|---:|---:|---:|"]
    for title, rows in results.items():
        for index, (name, row) in enumerate(rows.items()):
            lines.append(f"| {'' if index else title} | {name} | " + " | ".join(harness.number(row[key]) for key in KEYS) + " |")
    return "\n".join(lines)


def main():
    options = harness.arguments("4 sources, 1 round")
    rounds, most = (1, 4) if options.quick else (3, 60)
    work = options.work.resolve()
    folders = make_sources(options.photos, work, 20 if options.quick else 200)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="formats-", dir=work))
    results = {}
    try:
        for case in CASES:
            title, name, ending, kind, count = case
            sizes = [Image.open(folders[name] / f"{number}.{ending}").size for number in range(min(count, most))]
            port = free_port()
            (folder / "sources.conf").write_text(harness.SOURCES.format(folder=folder, port=port, pictures=folders[name]))
            nginx = subprocess.Popen(["nginx", "-p", str(folder), "-e", str(folder / "nginx.log"), "-c", str(folder / "sources.conf")])
            try:
                until(lambda: HTTPConnection("127.0.0.1", port, timeout=5).connect() is None, nginx, folder / "nginx.log")
                turns = {}
                for turn in range(rounds):
                    for one in harness.services(options, (SIDE,), QUALITY[kind], ending, kind):
                        # image_filter writes the format of the source.
                        if one.name.startswith("nginx") and title not in ("JPEG", "PNG", "WebP", "JPEG of 50 megapixels"):
                            continue
                        own = folder / f"{turn}-{one.name.split()[0]}-{title.split()[0]}{len(results)}"
                        own.mkdir()
                        try:
                            turns.setdefault(one.name, []).append(measure(one, port, case, sizes, own))
                        except (OSError, RuntimeError, HTTPException) as error:
                            print(f"{title}, {one.name}: {error}", file=sys.stderr)
                        shutil.rmtree(own, ignore_errors=True)
            finally:
                nginx.terminate()
                nginx.wait()
            results[title] = {name: {key: harness.median([row[key] for row in rows]) for key in KEYS} for name, rows in turns.items() if rows}
            for name, row in results[title].items():
                print(json.dumps({"group": "service formats", "case": title, "program": name} | {key: round(value, 4) for key, value in row.items()}), flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    text = table(results, harness.versions(options), rounds)
    if not options.table or options.quick:
        return print(text, file=sys.stderr)
    harness.replace(options.table, BEGIN, text, END)


if __name__ == "__main__":
    main()
