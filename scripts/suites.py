#!/usr/bin/env python3
"""Decodes every image of public test suites, in the sandbox, and writes what became of each.

    scripts/suites.py [--gannet PROGRAM] [--peer] [--page FILE] [--save FILE] [--load FILE]… FOLDER…

A FOLDER is a checkout of a suite that a person has fetched; its name is the suite's. Each file whose ending is that of an image, a film or a document is converted
to a thumbnail of 256 pixels by `gannet convert --sandbox require`, all of a suite in one process. That process must not crash, and must end: a decode that takes longer than 20 s
of processor time is refused. --peer asks libvips (pyvips of this Python) for the thumbnails that were refused, each in a process of its own, so that refusals have a judge. --page writes the
tables to that page, and the refused files to suites.tsv beside it; without it they are printed. --save FILE keeps what was found, and --load FILE adds it to a page without another run.
"""
import argparse, collections, json, os, pathlib, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = {
    "jpeg": "jpg jpeg jpe jfif", "png": "png apng", "gif": "gif", "webp": "webp", "bmp": "bmp dib", "ico": "ico cur", "qoi": "qoi", "pnm": "pbm pgm ppm pnm pam",
    "radiance": "hdr rgbe xyze", "pfm": "pfm",
    "avif": "avif avifs", "heic": "heic heif hif heics", "jxl": "jxl", "tiff": "tif tiff", "svg": "svg svgz", "video": "mp4 mov webm mkv avi m4v 3gp",
    "jp2": "jp2 j2k j2c jpc", "raw": "dng cr2 cr3 nef arw raf orf rw2 pef srw", "lottie": "lottie tgs", "pdf": "pdf", "fuzzed": "fuzzed",
}
KIND_OF = {ending: kind for kind, endings in KINDS.items() for ending in endings.split()}
PEER = """
import os, sys
os.environ["VIPS_CONCURRENCY"] = "1"
import pyvips
pyvips.Image.thumbnail(sys.argv[1], 256, size="down").write_to_memory()
"""


def files_of(folder):
    """By kind, sorted."""
    found = []
    for path in sorted(folder.rglob("*")):
        kind = KIND_OF.get(path.suffix[1:].lower())
        if path.suffix == ".json" and path.is_file() and b'"layers"' in path.read_bytes()[:1 << 20]:
            kind = "lottie"
        if kind and path.is_file() and not path.is_symlink() and path.stat().st_size and "\n" not in str(path):
            found.append((path, kind))
    return found


def verdicts(gannet, files):
    """What gannet says of each file: "ok", or its error's code and message."""
    with tempfile.TemporaryDirectory() as folder:
        out, list_ = pathlib.Path(folder) / "out", pathlib.Path(folder) / "list"
        out.mkdir()
        list_.write_bytes(b"".join(os.fsencode(path) + b"\0" for path, _ in files))
        words = [gannet, "convert", "--list", list_, "-0", "-O", out, "--thumbnail", "256", "--format", "png", "--sandbox", "require", "--decode-time", "20",
                 "--json", "--no-cache", "--force"]
        run = subprocess.run(words, capture_output=True, timeout=60 * 60)
    told = {}
    for line in run.stdout.decode(errors="replace").splitlines():
        entry = json.loads(line)
        if "source" in entry:
            told[entry["source"]] = ("ok", "") if entry["ok"] else (entry["error"]["code"], entry["error"]["message"])
    if run.returncode not in (0, 1):
        sys.exit(f"gannet ended with {run.returncode}: {run.stderr.decode(errors='replace')[-2000:]}")
    missing = [str(path) for path, _ in files if str(path) not in told]
    if missing:
        sys.exit(f"no word of {len(missing)} files, as {missing[0]}")
    return told


def peer_reads(path):
    try:
        return subprocess.run([sys.executable, "-c", PEER, path], capture_output=True, timeout=60).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def judged(folder, options):
    """The suite's rows, and its refused files with code, peer and message."""
    files = files_of(folder)
    told = verdicts(options.gannet, files)
    sums, refused = collections.defaultdict(collections.Counter), []
    for path, kind in files:
        code, message = told[str(path)]
        peer = options.peer and code != "ok" and peer_reads(path)
        sums[kind].update({"files": 1, code: 1, "peer": int(peer)})
        if code != "ok":
            refused.append([str(path.relative_to(folder)), code, peer, " ".join(message.split())])
    print(f"{folder.name}: {len(files)} files, {len(refused)} refused", file=sys.stderr)
    return {"suite": folder.name, "asked": options.peer, "kinds": {kind: dict(counts) for kind, counts in sorted(sums.items())}, "refused": refused}


def tables(found):
    lines = ["| suite | kind | files | decoded | refused, by code | of these, read by libvips |", "|---|---|---:|---:|---|---:|"]
    for suite in found:
        for kind, counts in suite["kinds"].items():
            others = ", ".join(f"{code} {count}" for code, count in sorted(counts.items()) if code not in ("files", "ok", "peer"))
            lines.append(f"| {suite['suite']} | {kind} | {counts['files']} | {counts.get('ok', 0)} | {others} | {counts['peer'] if suite['asked'] else 'not asked'} |")
    lines += ["", "Refused here, and read by libvips:", "", "| file | what is said of it |", "|---|---|"]
    return lines + [f"| {suite['suite']}/{path} | {message} |" for suite in found for path, _, peer, message in suite["refused"] if peer]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    parser.add_argument("--gannet", default=ROOT / ".build/debug/gannet")
    parser.add_argument("--peer", action="store_true")
    parser.add_argument("--page", type=pathlib.Path)
    parser.add_argument("--save", type=pathlib.Path)
    parser.add_argument("--load", type=pathlib.Path, action="append", default=[])
    options = parser.parse_args()
    found = [json.loads(path.read_text()) for path in options.load] + [judged(folder.resolve(), options) for folder in options.folders]
    if options.save:
        options.save.write_text(json.dumps(found[-1]))
    if not options.page:
        return print("\n".join(tables(found)))
    begin, end = "<!-- tables: written by scripts/suites.py -->", "<!-- end of the tables -->"
    before, after = options.page.read_text().split(begin)
    options.page.write_text(before + "\n".join([begin, *tables(found), end]) + after.split(end)[1])
    lines = ["\t".join([suite["suite"], path, code, "libvips reads it" if peer else ""]) for suite in found for path, code, peer, _ in suite["refused"]]
    options.page.with_suffix(".tsv").write_text("\n".join(["suite\tfile\tcode\tpeer", *lines]) + "\n")


if __name__ == "__main__":
    main()
