#!/usr/bin/env python3
"""Makes RESULTS.md, transforms.md and the plots of the JSON lines that the benchmarks print (see README.md).

    report.py RESULTS_FOLDER     every *.jsonl in it; writes beside this file
"""
import glob, json, os, platform, re, subprocess, sys
from collections import OrderedDict
from importlib import metadata

HERE = os.path.dirname(os.path.abspath(__file__))
TITLES = {
    "transforms": "Transformers", "codecs": "Decoding", "caches": "Caches", "pipeline": "The whole way",
    "start-up": "Start-up", "whole process": "Whole processes", "demo": "The demo", "requests": "What a request costs",
    "playback": "Animations in a window", "allocations": "Allocations while animations play", "scroll": "Scrolling in a window",
    "growth": "How cost grows", "gallery": "Scrolling a gallery", "animation": "Animation",
}


def read(folder):
    groups = OrderedDict()
    for path in sorted(glob.glob(os.path.join(folder, "*.jsonl"))):
        for line in open(path):
            if not line.startswith("{"):
                continue
            entry = json.loads(line)
            groups.setdefault(entry["group"], OrderedDict()).setdefault(entry["case"], OrderedDict())[entry["program"]] = entry
    return groups


def command(*words):
    try:
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def machine():
    info = open("/proc/cpuinfo").read()
    model = re.search(r"model name\s*: (.*)", info)
    memory = int(re.search(r"MemTotal:\s*(\d+)", open("/proc/meminfo").read()).group(1)) // 1024
    lines = [f"{model.group(1) if model else platform.machine()}, {os.cpu_count()} cores, {memory} MiB, Linux {platform.release()}",
             command("swift", "--version").splitlines()[0] if command("swift", "--version") else "",
             "Gannet " + (command("git", "-C", HERE, "describe", "--always") or "?")]
    packages = []
    for name in ("pillow", "opencv-python-headless", "pyvips-binary", "cykooz.resizer", "numpy", "aiohttp", "PySide6_Essentials"):
        try:
            packages.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            pass
    return "\n".join("- " + line for line in lines + [", ".join(packages)] if line)


def slug(group):
    return group.replace(" ", "-")


def number(value):
    return "–" if value is None else f"{value:,.0f}" if value >= 1000 else f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.1 or value == 0 else f"{value:.4f}"


# Less work than the others of their row: shown, not counted in the ratio.
OTHER_WORK = {"libjpeg-turbo 1/8", "cykooz.resizer super_sampling", "OpenCV stack blur", "Pillow reducing_gap", "Pillow BOX"}
# The system's own libraries stand beside the peers in codecs.md.
LIBRARIES = {"libjpeg-turbo 8/8", "libjpeg-turbo 1/8", "giflib", "libwebp", "libavif", "libheif", "libjxl", "libtiff"}


def table(cases, key="cpu_ms", unit="ms of processor time", scale=1, goal=None):
    """`goal`: the peer whose multiple has a column of its own; a case "x, in another way" is compared with its x."""
    cases = OrderedDict((c, OrderedDict((p, e | {key: e[key] * scale} if key in e else e) for p, e in es.items())) for c, es in cases.items())
    programs = list(OrderedDict((p, 0) for entries in cases.values() for p in entries if p != "gannet"))
    lines = [f"Median, in {unit}; the ratio is the best peer's time over ours: above 1 we are ahead.", "",
             "| | Gannet | " + " | ".join(p + ("*" if p in OTHER_WORK else "") for p in programs) + " | ratio |"
             + (f" times {goal} |" if goal else ""), "|---|" + "---:|" * (len(programs) + (3 if goal else 2))]
    for case, entries in cases.items():
        ours = entries.get("gannet", {}).get(key)
        peers = [entries[p][key] for p in programs if p in entries and key in entries[p] and p not in OTHER_WORK]
        ratio = f"**{min(peers) / ours:.2f}**" if ours and peers else "–"
        lines.append(f"| {case} | {number(ours)} | " + " | ".join(number(entries.get(p, {}).get(key)) for p in programs) + f" | {ratio} |")
        if goal:
            base = (entries.get(goal) or cases.get(case.split(", ")[0], {}).get(goal, {})).get(key)
            lines[-1] += f" {ours / base:.2f} |" if ours and base else " – |"
    if OTHER_WORK & set(programs):
        lines += ["", "\\* does less than the others of its row (see below), and is not counted in the ratio."]
    return "\n".join(lines)


def caches_table(cases):
    """One operation at a time; then what was done once, with so many entries."""
    growth = OrderedDict()
    for case, entries in cases.items():
        name, _, count = case.rpartition(", ")
        if count.endswith(" entries"):
            growth.setdefault(name, OrderedDict())[int(count.split()[0])] = entries["gannet"]
    single = OrderedDict((case, entries) for case, entries in cases.items() if not case.endswith(" entries"))
    parts = [table(single, unit="µs of processor time of one operation", scale=1000, goal="POSIX")] if single else []
    if growth:
        counts = sorted({count for row in growth.values() for count in row})
        parts += ["", "Once each, in ms of processor time / of wall time, with so many entries of 100 bytes (a million: `scripts/benchmark.sh million`):", "",
                  "| | " + " | ".join(f"{count:,}" for count in counts) + " |", "|---|" + "---:|" * len(counts)]
        for name, row in growth.items():
            parts.append(f"| {name} | " + " | ".join(
                f"{number(row[count]['cpu_ms'])} / {number(row[count]['wall_ms'])}" if count in row else "–" for count in counts) + " |")
    return "\n".join(parts)


def best_peer(entries, key="cpu_ms"):
    peers = [(e[key], name) for name, e in entries.items() if name != "gannet" and name not in OTHER_WORK and e.get(key) is not None]
    return min(peers) if peers else None


# Which part of scripts/benchmark.sh makes a group.
PARTS = {"start-up": "commands", "whole process": "commands", "demo": "commands", "growth": "pipeline", "gallery": "pipeline", "animation": "pipeline"}


def summary(groups):
    """Every case in one line: ours, the best peer, the ratio."""
    lines = ["| | case | Gannet, ms | best peer | its ms | ratio | peak MiB, ours and its | `scripts/benchmark.sh` |",
             "|---|---|---:|---|---:|---:|---:|---|"]
    for group, cases in groups.items():
        for case, entries in cases.items():
            ours, peer = entries.get("gannet"), best_peer(entries)
            if group == "transform-quality" or not ours or ours.get("cpu_ms") is None or (peer is None and group != "demo"):
                continue
            peaks = [number(e["peak_mib"]) for e in (ours, entries[peer[1]] if peer else {}) if e.get("peak_mib")]
            theirs = f"{peer[1]} | {number(peer[0])} | {peer[0] / ours['cpu_ms']:.2f}" if peer and ours["cpu_ms"] else "– | – | –"
            lines.append(f"| {TITLES.get(group, group.capitalize())} | {case} | {number(ours['cpu_ms'])} | {theirs} | "
                         f"{' / '.join(peaks) or '–'} | {PARTS.get(group, group)} |")
    return "\n".join(lines)


def fill_readme(groups):
    path = os.path.join(HERE, "README.md")
    begin, end = "<!-- results, made by report.py -->", "<!-- end of results -->"
    text = open(path).read()
    before, rest = text.split(begin)
    after = rest.split(end)[1]
    page = [begin, "", "Medians of processor time, each part in one run; the ratio is the best peer's over ours: above 1 we are ahead.", "", machine(), "",
            # The baseline of requests does a part of their work, and is no program that anybody would choose.
            summary(OrderedDict((group, cases) for group, cases in groups.items() if group != "requests")), "", end]
    open(path, "w").write(before + "\n".join(page) + after)


def pipeline_table(cases):
    has_frames = any("late" in e for entries in cases.values() for e in entries.values())
    more = " frames late | longest frame ms | decoded for nobody |" if has_frames else ""
    lines = ["| | | wall s | pictures/s | processor ms | peak MiB |" + more, "|---|---|---:|---:|---:|---:|" + "---:|" * (3 if has_frames else 0)]
    for case, entries in cases.items():
        for index, (program, e) in enumerate(entries.items()):
            rate = e.get("pictures", 0) / e["wall_ms"] * 1000 if e.get("pictures") and e["wall_ms"] else None
            row = (f"| {case if index == 0 else ''} | {program} | {number(e['wall_ms'] / 1000)} | {number(rate)} | {number(e['cpu_ms'])} | "
                   f"{number(e.get('peak_mib'))} |")
            if has_frames:
                row += f" {e.get('late', '–')} | {number(e.get('longest_frame_ms'))} | {e.get('for_nobody', '–')} |"
            lines.append(row)
    return "\n".join(lines)


# What stands in these groups differs: each has a column for every number that one of its lines has.
LISTED = {
    "playback": ["cpu_s_per_s", "frames_shown", "frames_due", "skipped", "worst_lateness_ms", "peak_mib", "own_mib", "frame_mib"],
    "allocations": ["allocations_per_frame", "frames_shown"],
    "scroll": ["frames", "frames_over_16_7_ms", "over_by_processor_time", "median_frame_processor_ms", "frames_left_out", "median_frame_ms", "longest_frame_ms", "shown_while_visible", "seen_to_picture_ms",
               "longest_seen_to_picture_ms", "median_us", "longest_us"],
}


def listed_table(cases, keys):
    keys = [key for key in keys if any(key in e for entries in cases.values() for e in entries.values())]
    lines = ["| | | " + " | ".join(key.replace("_", " ") for key in keys) + " |", "|---|---|" + "---:|" * len(keys)]
    for case, entries in cases.items():
        for index, (program, e) in enumerate(entries.items()):
            values = [f"{e[key]:g}" if key in e else "–" for key in keys]
            lines.append(f"| {case if index == 0 else ''} | {program} | " + " | ".join(values) + " |")
    return "\n".join(lines)


def quality_table(cases):
    lines = ["| transform | against | PSNR dB | mean ΔE2000 |", "|---|---|---:|---:|"]
    for case, entries in cases.items():
        for program, e in entries.items():
            lines.append(f"| {case} | {program} | {'the same' if e['psnr'] >= 99 else e['psnr']} | {e['delta_e']} |")
    return "\n".join(lines)


def agreement(cases):
    worst = [min(e["psnr"] for entries in cases.values() for e in entries.values()),
             max(e["delta_e"] for entries in cases.values() for e in entries.values())]
    text = ["The same photographs through ours and a peer with the same filter and the same edges, three of them, of which the worst counts. At least 45 dB and a mean ΔE2000 under 1 are asked "
            f"for; the lowest here is {worst[0]} dB and the highest {worst[1]}.", "", quality_table(cases), ""]
    note = os.path.join(HERE, "notes", "transform-quality.md")
    if os.path.exists(note):
        text += [open(note).read().strip()]
    return "\n".join(text).rstrip()


def plots(groups):
    try:
        import matplotlib
    except ImportError:
        return []
    matplotlib.use("Agg")
    from matplotlib import pyplot
    os.makedirs(os.path.join(HERE, "plots"), exist_ok=True)
    made = []
    for group, cases in groups.items():
        key = "cpu_ms"
        rows = [(case, e) for case, e in cases.items() if len([p for p in e if key in e[p]]) > 1]
        if not rows or group == "transform-quality" or group in LISTED:
            continue
        # The quickest of a case comes first; a case's name stands above its bars, a program's behind its bar.
        bars, titles, place = [], [], 0
        for case, entries in rows:
            titles.append((place, case))
            place += 1
            for program, entry in sorted(entries.items(), key=lambda item: item[1].get(key) or 0):
                if entry.get(key):
                    bars.append((place, program, entry[key]))
                    place += 1
            place += 0.6
        figure, axis = pyplot.subplots(figsize=(9, 0.7 + 0.15 * place))
        axis.barh([at for at, _, _ in bars], [value for _, _, value in bars], 0.85,
                  color=["#d9480f" if program == "gannet" else "#b8bcc2" for _, program, _ in bars])
        axis.set_xscale("log")
        low, high = axis.get_xlim()
        axis.set_xlim(low, high * 8)  # room for names
        for at, program, value in bars:
            axis.text(value * 1.06, at, f"{program}  {number(value)}", va="center", fontsize=7,
                      weight="bold" if program == "gannet" else "normal")
        for at, case in titles:
            axis.text(low * 1.02, at, case, va="center", fontsize=8, weight="bold")
        axis.set_yticks([])
        axis.set_ylim(place, -0.8)
        axis.set_xlabel("processor milliseconds, median; shorter is better")
        figure.tight_layout()
        figure.savefig(os.path.join(HERE, "plots", slug(group) + ".png"), dpi=110)
        pyplot.close(figure)
        made.append(group)
    return made


def main():
    groups = read(sys.argv[1])
    made = plots(groups)
    parts = ["# Results", "", "Made by `scripts/benchmark.sh`, part after part; the rows of a part come from one run:", "", machine(), ""]
    for group, cases in groups.items():
        if group in ("transform-quality", "codecs-memory"):
            continue
        if group == "codecs":
            cases = OrderedDict((case, OrderedDict((p, e) for p, e in entries.items() if p not in LIBRARIES)) for case, entries in cases.items())
        parts += ["## " + TITLES.get(group, group.capitalize()), ""]
        if group in LISTED:
            parts += [listed_table(cases, LISTED[group]), ""]
        else:
            parts += [pipeline_table(cases) if group in ("pipeline", "growth", "gallery", "animation", "demo") else caches_table(cases) if group == "caches"
                      else table(cases, unit="µs of processor time of one request", scale=1000) if group == "requests" else table(cases), ""]
        if group in made:
            parts += [f"![{TITLES.get(group, group)}](plots/{slug(group)}.png)", ""]
        note = os.path.join(HERE, "notes", group + ".md")
        if os.path.exists(note):
            # Links of notes lead from their own folder.
            parts += [open(note).read().strip().replace("](../../", "](../"), ""]
    open(os.path.join(HERE, "RESULTS.md"), "w").write("\n".join(parts).rstrip() + "\n")
    fill_readme(groups)
    if "transforms" in groups:
        page = ["# Transformers: speed and agreement", "", "Made by `scripts/benchmark.sh transforms`, in one run:", "", machine(), "",
                "## Speed", "", "A photograph as 4000 × 3000 and 1920 × 1080 premultiplied RGBA pixels in memory, one thread each.", "",
                table(groups["transforms"]), "", "![Transformers](plots/transforms.png)", ""]
        note = os.path.join(HERE, "notes", "transforms.md")
        if os.path.exists(note):
            page += [open(note).read().strip(), ""]
        if "transform-quality" in groups:
            page += ["## Agreement", "", agreement(groups["transform-quality"]), ""]
        open(os.path.join(HERE, "transforms.md"), "w").write("\n".join(page).rstrip() + "\n")
    if "transform-quality" in groups:
        page = ["# Transformers: agreement with other programs", "",
                "Made by `scripts/benchmark.sh transforms`; their speed stands in [Benchmarks/transforms.md](../../Benchmarks/transforms.md).", "",
                machine(), "", agreement(groups["transform-quality"]), ""]
        open(os.path.join(HERE, "..", "Documentation", "internals", "TransformAgreement.md"), "w").write("\n".join(page).rstrip() + "\n")


main()
