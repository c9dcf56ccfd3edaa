#!/usr/bin/env python3
"""Reads `gannet view`, and the gallery among the examples, through AT-SPI, and fails where something has no name. See scripts/accessibility.sh."""
import os, pathlib, struct, subprocess, sys, tempfile, time, zlib

import pyatspi


def png(shade):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes([shade, 99, 40] * 64) for _ in range(64))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def tree(node, depth=0):
    """Every accessible below, as (depth, role, name); what goes away meanwhile is left out."""
    try:
        yield depth, node.getRoleName(), node.name
        for index in range(node.childCount):
            child = node.getChildAtIndex(index)
            if child is not None: yield from tree(child, depth + 1)
    except Exception:  # of GLib: the object ended
        return


def read(wanted, process):
    """The program's tree as soon as it has all names that are wanted; after a minute as it is."""
    nodes = []
    for _ in range(120):
        if process.poll() is not None: sys.exit(f"{process.args[0]} ended with {process.returncode}.")
        for application in pyatspi.Registry.getDesktop(0):
            if application is not None and application.get_process_id() == process.pid:
                nodes = list(tree(application))
        names = [name for _, _, name in nodes]
        if all(any(want in name for name in names) for want in wanted): return nodes, True
        time.sleep(0.5)
    return nodes, False


def check(command, wanted, roles):
    environment = dict(os.environ, XDG_CACHE_HOME=tempfile.mkdtemp())
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    try:
        nodes, isComplete = read(wanted, process)
        for depth, role, name in nodes: print("  " * depth + f"{role}: {name}")
        faults = [] if isComplete else [f"not every name is there: {wanted}"]
        faults += [f"{role} has no name" for _, role, name in nodes if role in roles and (not name or name.startswith("Gtk") or name == "Unnamed")]
        faults += [f"no {role} is there" for role in roles if role not in [one for _, one, _ in nodes]]
        return faults
    finally:
        process.terminate()
        process.wait()


view = [sys.argv[1], "view"]
with tempfile.TemporaryDirectory() as folder:
    for number in range(3): (pathlib.Path(folder) / f"bird-{number}.png").write_bytes(png(number * 80))
    broken = pathlib.Path(folder) / "broken.png"
    broken.write_bytes(b"no picture")
    whole = pathlib.Path(folder) / "bird-0.png"
    print("The wall")
    faults = check([*view, folder], ["gannet", "bird-0.png", "bird-2.png", "broken.png: "], ["application", "frame", "table", "table cell"])
    print("An image")
    faults += check([*view, str(whole)], ["gannet", "bird-0.png", "File, image, camera and load"], ["application", "frame", "image", "push button"])
    print("An image among others")
    faults += check([*view, folder, "--open", "2"], ["bird-1.png", "Previous image", "Next image", "Back to the wall"], ["frame", "image", "push button"])
    print("An image that cannot be shown")
    faults += check([*view, str(broken)], ["broken.png: "], ["application", "frame"])
    for gallery in sys.argv[2:]:
        print("The example")
        faults += check([gallery, folder, "--open", "2"], ["Gallery", "bird-1.png", "bird-2.png", "Dark", "Next image"], ["application", "frame", "image", "push button"])
for fault in faults: print("FAULT:", fault, file=sys.stderr)
sys.exit(1 if faults else 0)
