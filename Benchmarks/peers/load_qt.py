#!/usr/bin/env python3
"""Qt's image stack: QNetworkAccessManager with its disk cache, QImageReader with a scaled size on a thread pool, a dictionary of QImage.

    load_qt.py CASE BASE COUNT CACHE      CASE: cold, disk, memory; prints one JSON line (see README.md)
    load_qt.py animation FILE SECONDS     QMovie in real time
"""
import json, os, re, sys, time

from PySide6.QtCore import QBuffer, QByteArray, QCoreApplication, QIODevice, QObject, QRunnable, QSize, Qt, QThreadPool, QTimer, QUrl, Signal
from PySide6.QtGui import QGuiApplication, QImageReader, QMovie
from PySide6.QtNetwork import QNetworkAccessManager, QNetworkDiskCache, QNetworkRequest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
case = sys.argv[1]
app = QGuiApplication(sys.argv[:1])


def peak_memory():
    """MiB; what getrusage tells begins with the parent's."""
    return int(re.search(r"VmHWM:\s*(\d+)", open("/proc/self/status").read()).group(1)) / 1024


def report(group, name, pictures, cpu, wall):
    print(json.dumps({"group": group, "case": name, "program": "Qt", "cpu_ms": cpu * 1000, "wall_ms": wall * 1000, "pictures": pictures,
                      "peak_mib": peak_memory()}), flush=True)


def animation(path, seconds):
    movie = QMovie(path)
    frames = []
    movie.frameChanged.connect(lambda number: frames.append(movie.currentPixmap()) or frames.__delitem__(slice(0, -1)) or counted.append(1))
    counted = []
    movie.start()
    cpu, wall = time.process_time(), time.perf_counter()

    def end():
        took = time.perf_counter() - wall
        report("animation", f"a second of {os.path.basename(path)}", len(counted), (time.process_time() - cpu) / took, 1)
        app.quit()

    QTimer.singleShot(int(seconds * 1000), end)
    app.exec()


class Decode(QRunnable):
    def __init__(self, owner, url, body):
        super().__init__()
        self.owner, self.url, self.body = owner, url, body

    def run(self):
        buffer = QBuffer()
        buffer.setData(self.body)
        buffer.open(QIODevice.OpenModeFlag.ReadOnly)
        reader = QImageReader(buffer)
        reader.setAutoTransform(True)
        reader.setScaledSize(reader.size().scaled(256, 256, Qt.AspectRatioMode.KeepAspectRatio))
        self.owner.decoded.emit(self.url, reader.read())


class Run(QObject):
    decoded = Signal(str, object)

    def __init__(self, base, count, cache):
        super().__init__()
        self.urls = [f"{base}/{index}.jpg" for index in range(count)]
        self.memory = {}
        self.pool = QThreadPool()
        self.pool.setMaxThreadCount(os.cpu_count())
        self.manager = QNetworkAccessManager()
        disk = QNetworkDiskCache(self.manager)
        disk.setCacheDirectory(cache)
        disk.setMaximumCacheSize(8 << 30)
        self.manager.setCache(disk)
        self.decoded.connect(self.done)

    def start(self, then):
        self.then, self.next, self.left = then, 0, len(self.urls)
        for _ in range(16):
            self.one()

    def one(self):
        if self.next >= len(self.urls):
            return
        url = self.urls[self.next]
        self.next += 1
        request = QNetworkRequest(QUrl(url))
        request.setAttribute(QNetworkRequest.Attribute.CacheLoadControlAttribute, QNetworkRequest.CacheLoadControl.PreferCache)
        reply = self.manager.get(request)
        reply.finished.connect(lambda: self.received(url, reply))

    def received(self, url, reply):
        self.pool.start(Decode(self, url, reply.readAll()))
        reply.deleteLater()

    def done(self, url, image):
        assert max(image.width(), image.height()) == 256, url
        self.memory[url] = image
        self.left -= 1
        self.one()
        if self.left == 0:
            self.then()


def main():
    if case == "animation":
        animation(sys.argv[2], float(sys.argv[3]))
        return
    base, count, cache = sys.argv[2], int(sys.argv[3]), sys.argv[4]
    run = Run(base, count, cache)
    started = [time.process_time(), time.perf_counter()]

    def end():
        report("pipeline", f"{case}, {count} pictures, 16 at once", count, time.process_time() - started[0], time.perf_counter() - started[1])
        app.quit()

    def memory():
        started[:] = [time.process_time(), time.perf_counter()]
        for url in run.urls:
            assert not run.memory[url].isNull()
        end()

    QTimer.singleShot(0, lambda: run.start(memory if case == "memory" else end))
    app.exec()


main()
# Objects of Qt that outlive the interpreter end in a crash.
sys.stdout.flush()
os._exit(0)
