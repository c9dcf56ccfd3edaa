#!/usr/bin/env python3
"""The pipeline one writes in Python: aiohttp, libvips on threads, thumbnails in a dictionary and as JPEG files on disk.

    load_python.py CASE BASE COUNT CACHE      CASE: cold, disk, memory; prints one JSON line (see README.md)
"""
import asyncio, hashlib, json, os, re, sys, time
from concurrent.futures import ThreadPoolExecutor

os.environ["VIPS_CONCURRENCY"] = "1"
import aiohttp
import pyvips

pyvips.cache_set_max(0)
case, base, count, cache = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
os.makedirs(cache, exist_ok=True)
memory = {}


def peak_memory():
    """MiB; what getrusage tells begins with the parent's."""
    return int(re.search(r"VmHWM:\s*(\d+)", open("/proc/self/status").read()).group(1)) / 1024


def path(url, kind):
    return os.path.join(cache, hashlib.sha256(url.encode()).hexdigest() + kind)


def pixels(image):
    return image.width, image.height, image.write_to_memory()


def shrink(url, body):
    image = pyvips.Image.thumbnail_buffer(body, 256, height=256, size="down")
    small = image.copy_memory()
    with open(path(url, ".body"), "wb") as file:
        file.write(body)
    small.jpegsave(path(url, ".jpg"), Q=92)
    memory[url] = pixels(small.addalpha())


def from_disk(url):
    try:
        memory[url] = pixels(pyvips.Image.new_from_file(path(url, ".jpg")).addalpha())
        return True
    except pyvips.Error:
        return False


async def load(session, pool, slots, url):
    if url in memory:
        return
    loop = asyncio.get_running_loop()
    if case != "cold" and await loop.run_in_executor(pool, from_disk, url):
        return
    async with slots:
        async with session.get(url) as response:
            body = await response.read()
    await loop.run_in_executor(pool, shrink, url, body)


async def main():
    urls = [f"{base}/{index}.jpg" for index in range(count)]
    pool = ThreadPoolExecutor(os.cpu_count())
    slots = asyncio.Semaphore(6)
    in_flight = asyncio.Semaphore(16)

    async def bounded(url):
        async with in_flight:
            await load(session, pool, slots, url)

    async with aiohttp.ClientSession() as session:
        if case == "memory":
            await asyncio.gather(*map(bounded, urls))
        cpu, wall = time.process_time(), time.perf_counter()
        if case == "memory":
            for url in urls:
                assert memory[url][2]
        else:
            await asyncio.gather(*map(bounded, urls))
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    print(json.dumps({"group": "pipeline", "case": f"{case}, {count} pictures, 16 at once", "program": "aiohttp + pyvips", "cpu_ms": cpu * 1000,
                      "wall_ms": wall * 1000, "pictures": count, "peak_mib": peak_memory()}))


asyncio.run(main())
