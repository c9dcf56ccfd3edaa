#!/usr/bin/env python3
"""How long programs take to start: startup.py GANNET PICTURE [RUNS]. Prints medians as a Markdown table.

Programs take turns, so that what else runs on the machine meets all of them. Processor time is user and system of the child."""
import os, shutil, statistics, sys, time

gannet, picture = sys.argv[1], sys.argv[2]
runs = int(sys.argv[3]) if len(sys.argv) > 3 else 31
null = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0), (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)]
commands = {
    "`gannet --version`": [gannet, "--version"],
    "`gannet info` of a small PNG": [gannet, "info", picture],
    "`gannet fetch` of it": [gannet, "fetch", "--no-cache", picture],
    "`vipsthumbnail --version`": ["vipsthumbnail", "--version"],
    "`vipsthumbnail` of it": ["vipsthumbnail", picture, "-s", "16", "-o", "/dev/shm/startup-%s.png"],
    "Pillow: `Image.open` of it": ["python3", "-c", f"from PIL import Image; Image.open({picture!r}).load()"],
}
if os.environ.get("STARTUP_PYTHON"):
    commands["Pillow: `Image.open` of it"][0] = os.environ["STARTUP_PYTHON"]
times = {name: [] for name, command in commands.items() if shutil.which(command[0])}
for turn in range(runs + 2):
    for name in times:
        command = commands[name]
        begin = time.perf_counter()
        process = os.posix_spawnp(command[0], command, os.environ, file_actions=null)
        _, status, usage = os.wait4(process, 0)
        wall = time.perf_counter() - begin
        if status:
            sys.exit(f"{command} failed: {status}")
        if turn >= 2:
            times[name].append((wall * 1e3, (usage.ru_utime + usage.ru_stime) * 1e3, usage.ru_maxrss / 1024))
print("| program | wall, median ms | wall, least ms | processor, median ms | peak memory, MiB |\n|---|---|---|---|---|")
for name, values in times.items():
    walls, cpu, memory = zip(*values)
    print(f"| {name} | {statistics.median(walls):.1f} | {min(walls):.1f} | {statistics.median(cpu):.1f} | {max(memory):.0f} |")
