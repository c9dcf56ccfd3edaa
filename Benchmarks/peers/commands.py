#!/usr/bin/env python3
"""Whole processes: our command beside vipsthumbnail and Pillow, and the three passes of `gannet demo`.

    commands.py GANNET PHOTO PICTURES [RUNS]     a large JPEG photograph, and a folder of photographs

Prints JSON lines. The programs of a case take turns, so that what else runs on the machine meets all of them; medians of
processor time (user and system of the child), wall time and peak resident memory."""
import json, os, shutil, statistics, subprocess, sys, tempfile, time

gannet, photo, pictures = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]
runs = int(sys.argv[4]) if len(sys.argv) > 4 else 21
work = tempfile.mkdtemp(prefix="gannet-commands-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
null = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0), (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)]
small = os.path.join(work, "small.png")
out = lambda name: os.path.join(work, name)
pillow = "from PIL import Image\nimage = Image.open({source!r})\n{work}"

subprocess.run([gannet, "convert", photo, small, "--thumbnail", "64x64"], check=True, stdout=subprocess.DEVNULL)
cases = {
    ("start-up", "`--version`"): {
        "gannet": [gannet, "--version"],
        "vipsthumbnail": ["vipsthumbnail", "--version"],
    },
    ("start-up", "a PNG of 64 pixels to 16"): {
        "gannet": [gannet, "convert", small, out("g.png"), "--thumbnail", "16x16", "--force"],
        "vipsthumbnail": ["vipsthumbnail", small, "--size", "16", "--output", out("v.png")],
        "Pillow": [sys.executable, "-c", pillow.format(source=small, work=f"image.thumbnail((16, 16)); image.save({out('p.png')!r})")],
    },
    ("whole process", "12 MP JPEG to 400, as JPEG"): {
        "gannet": [gannet, "convert", photo, out("g.jpg"), "--thumbnail", "400x400", "--quality", "85", "--force"],
        "vipsthumbnail": ["vipsthumbnail", photo, "--size", "400x400", "--output", out("v.jpg") + "[Q=85,strip]"],
        "Pillow (draft, resize)": [
            sys.executable, "-c",
            pillow.format(source=photo, work=f"image.thumbnail((400, 400)); image.save({out('p.jpg')!r}, quality=85)")],
    },
}


def run(command):
    begin = time.perf_counter()
    process = os.posix_spawnp(command[0], command, os.environ, file_actions=null)
    _, status, usage = os.wait4(process, 0)
    if status:
        sys.exit(f"{command} failed: {status}")
    return (usage.ru_utime + usage.ru_stime) * 1e3, (time.perf_counter() - begin) * 1e3, usage.ru_maxrss / 1024


try:
    for (group, case), programs in cases.items():
        times = {name: [] for name, command in programs.items() if shutil.which(command[0])}
        for turn in range(runs + 2):
            for name in times:
                figures = run(programs[name])
                # The first two fill the page cache.
                if turn >= 2:
                    times[name].append(figures)
        for name, values in times.items():
            cpu, wall, peak = zip(*values)
            print(json.dumps({
                "group": group, "case": case, "program": name, "cpu_ms": round(statistics.median(cpu), 2), "best_ms": round(min(cpu), 2),
                "wall_ms": round(statistics.median(wall), 2), "peak_mib": round(max(peak), 1)}), flush=True)

    demo = subprocess.run([gannet, "demo", "--pictures", pictures, "--out", out("demo"), "--json"], capture_output=True, text=True)
    if demo.returncode:
        sys.exit("gannet demo failed: " + demo.stderr.strip())
    for line in demo.stdout.splitlines():
        one = json.loads(line)
        if "pass" in one:
            print(json.dumps({
                "group": "demo", "case": f"{one['pass']}, {one['count']} photographs", "program": "gannet", "pictures": one["count"],
                "cpu_ms": round(one["cpuSeconds"] * 1e3, 2), "wall_ms": round(one["seconds"] * 1e3, 2),
                "peak_mib": round(one["peakBytes"] / 2**20, 1)}), flush=True)
finally:
    shutil.rmtree(work)
