#!/usr/bin/python3
"""GNOME's image stack: libsoup with its disk cache, gdk-pixbuf's loader with a size set in time on a thread pool, a dictionary of pixbufs.

    load_gnome.py CASE BASE COUNT CACHE      CASE: cold, disk, memory; prints one JSON line (see README.md)

Needs Debian's python3-gi, gir1.2-soup-3.0 and gir1.2-gdkpixbuf-2.0, so it runs in Debian's Python.
"""
import json, os, re, sys, time
from concurrent.futures import ThreadPoolExecutor

import gi

gi.require_version("Soup", "3.0")
gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf, GLib, Soup

case, base, count, folder = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
SIDE = 256


def peak_memory():
    """MiB; what getrusage tells begins with the parent's."""
    return int(re.search(r"VmHWM:\s*(\d+)", open("/proc/self/status").read()).group(1)) / 1024


def shrink(body):
    loader = GdkPixbuf.PixbufLoader()

    def prepared(loader, width, height):
        scale = SIDE / max(width, height)
        loader.set_size(max(1, round(width * scale)), max(1, round(height * scale)))

    loader.connect("size-prepared", prepared)
    loader.write_bytes(body)
    loader.close()
    return loader.get_pixbuf().apply_embedded_orientation()


class Run:
    def __init__(self):
        self.urls = [f"{base}/{index}.jpg" for index in range(count)]
        self.memory = {}
        self.pool = ThreadPoolExecutor(os.cpu_count())
        self.session = Soup.Session(max_conns=16, max_conns_per_host=6)
        self.cache = Soup.Cache.new(folder, Soup.CacheType.SINGLE_USER)
        self.cache.set_max_size((1 << 32) - 1)
        self.session.add_feature(self.cache)
        self.cache.load()
        self.loop = GLib.MainLoop()

    def load_all(self):
        self.next, self.left = 0, len(self.urls)
        for _ in range(16):
            self.one()
        self.loop.run()

    def one(self):
        if self.next >= len(self.urls):
            return
        url = self.urls[self.next]
        self.next += 1
        self.session.send_and_read_async(Soup.Message.new("GET", url), GLib.PRIORITY_DEFAULT, None, self.received, url)

    def received(self, session, result, url):
        body = session.send_and_read_finish(result)
        self.pool.submit(shrink, body).add_done_callback(lambda future: GLib.idle_add(self.done, url, future))

    def done(self, url, future):
        pixbuf = future.result()
        assert max(pixbuf.get_width(), pixbuf.get_height()) == SIDE, url
        self.memory[url] = pixbuf
        self.left -= 1
        self.one()
        if self.left == 0:
            self.loop.quit()
        return False


def fail(*exception):
    sys.__excepthook__(*exception)
    # An exception in a callback ends the callback alone: the loop would wait for ever.
    os._exit(1)


def main():
    sys.excepthook = fail
    run = Run()
    if case == "memory":
        run.load_all()
    cpu, wall = time.process_time(), time.perf_counter()
    if case == "memory":
        for url in run.urls:
            assert run.memory[url].get_width() > 0
    else:
        run.load_all()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    # The next process finds nothing without the list of entries.
    run.cache.flush()
    run.cache.dump()
    print(json.dumps({"group": "pipeline", "case": f"{case}, {count} pictures, 16 at once", "program": "libsoup + gdk-pixbuf",
                      "cpu_ms": cpu * 1000, "wall_ms": wall * 1000, "pictures": count, "peak_mib": peak_memory()}))


main()
