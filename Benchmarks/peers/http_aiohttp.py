#!/usr/bin/env python3
"""Loads COUNT files with aiohttp, AT_ONCE at a time: http_aiohttp.py COUNT AT_ONCE URL_PREFIX [CA.pem]. See http.sh."""
import asyncio, json, resource, ssl, sys, time

import aiohttp

count, at_once, prefix = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
context = ssl.create_default_context(cafile=sys.argv[4]) if len(sys.argv) > 4 else None


async def main():
    numbers = iter(range(count))
    loaded = 0

    async def work(session):
        nonlocal loaded
        for number in numbers:
            async with session.get(f"{prefix}{number}") as response:
                body = await response.read()
                loaded += len(body)

    connector = aiohttp.TCPConnector(limit=at_once, ssl=context) if context else aiohttp.TCPConnector(limit=at_once)
    async with aiohttp.ClientSession(connector=connector) as session:
        await asyncio.gather(*(work(session) for _ in range(at_once)))
    return loaded


start, cpu = time.perf_counter(), time.process_time()
loaded = asyncio.run(main())
wall = time.perf_counter() - start
print(json.dumps({"program": "aiohttp", "count": count, "at_once": at_once, "bytes": loaded, "requests_per_s": int(count / wall),
                  "cpu_s": round(time.process_time() - cpu, 3), "wall_s": round(wall, 3),
                  "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}))
