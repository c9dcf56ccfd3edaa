"""Qt's QMovie in QLabel, measured as PlaybackBenchmark measures: CLIPS SECONDS FILE.gif…   Needs PySide6_Essentials and a display, or
QT_QPA_PLATFORM=offscreen."""

import ctypes
import json
import resource
import sys
import time

from PySide6.QtCore import QTimer
from PySide6.QtGui import QMovie
from PySide6.QtWidgets import QApplication, QGridLayout, QLabel, QWidget

FRAMES, DELAY = 24, 0.040
clips, seconds = int(sys.argv[1]), int(sys.argv[2])
files = sys.argv[3:]
application = QApplication([])
window = QWidget()
grid = QGridLayout(window)
movies, last = [], {}
state = {"shown": 0, "skipped": 0, "worst": 0.0, "on": False}


def counted():
    """Allocations so far, if the counting library is loaded."""
    try:
        return ctypes.c_ulong.in_dll(ctypes.CDLL(None), "gannet_allocation_count").value
    except ValueError:
        return None


def own():
    """MiB of this process alone, without mapped files."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) // 1024 for line in status if line.startswith("RssAnon"))


def noted(clip, frame):
    if not state["on"]:
        return
    now = time.monotonic()
    state["shown"] += 1
    if clip in last:
        before, then = last[clip]
        steps = (frame - before) % FRAMES
        state["skipped"] += max(steps - 1, 0)
        state["worst"] = max(state["worst"], now - then - DELAY * max(steps, 1))
    last[clip] = (frame, now)


for index in range(clips):
    label = QLabel()
    label.setFixedSize(128, 128)
    movie = QMovie(files[index % len(files)])
    movie.frameChanged.connect(lambda frame, clip=index: noted(clip, frame))
    label.setMovie(movie)
    movie.start()
    movies.append(movie)
    grid.addWidget(label, index // 8, index % 8)
window.show()
start = {}


def begin():
    start.update(cpu=time.process_time(), wall=time.monotonic(), allocations=counted())
    state["on"] = True


def end():
    wall = time.monotonic() - start["wall"]
    line = {"group": "playback", "case": f"{clips} gif clips", "program": "QMovie", "cpu_s_per_s": round((time.process_time() - start["cpu"]) / wall, 3),
            "frames_shown": state["shown"], "frames_due": round(clips * wall / DELAY), "skipped": state["skipped"],
            "worst_lateness_ms": round(state["worst"] * 1000, 3), "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, "own_mib": own()}
    if start["allocations"] is not None:
        line["allocations_per_frame"] = round((counted() - start["allocations"]) / max(state["shown"], 1), 1)
    print(json.dumps(line), flush=True)
    application.quit()


QTimer.singleShot(1500, begin)
QTimer.singleShot(1500 + seconds * 1000, end)
application.exec()
