"""The thumbnail service one writes in Python: aiohttp under gunicorn, libvips on threads, results in memory and in a folder.

    gunicorn --chdir Benchmarks/peers --workers 2 --worker-class aiohttp.GunicornWebWorker service_aiohttp:application

FOLDER is where results are kept, MEMORY how many bytes of them in memory. GET /400/jpeg/80/SOURCE answers with SOURCE in 400 × 400 at most, as JPEG of quality 80; so do png, webp
and avif. See service.py.
"""
import asyncio, hashlib, os
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import unquote

os.environ["VIPS_CONCURRENCY"] = "1"
import aiohttp
import pyvips
from aiohttp import web

SAVERS = {
    "jpeg": lambda image, quality: image.jpegsave_buffer(Q=quality, keep="none"),
    "png": lambda image, quality: image.pngsave_buffer(keep="none"),
    "webp": lambda image, quality: image.webpsave_buffer(Q=quality, keep="none"),
    "avif": lambda image, quality: image.heifsave_buffer(Q=quality, compression="av1", effort=EFFORT, keep="none"),
}
# Of AVIF: the encoder's speed is 9 without it, and 6 is that of the others.
EFFORT = 3
LIMIT = int(os.environ.get("MEMORY", 64 << 20))


class Results:
    """Those used last, up to LIMIT bytes, and all of them as files."""

    def __init__(self, folder):
        self.folder, self.memory, self.bytes = folder, OrderedDict(), 0

    def path(self, key):
        return os.path.join(self.folder, hashlib.sha256(key.encode()).hexdigest())

    def remember(self, key, body):
        if key in self.memory:
            return
        self.memory[key] = body
        self.bytes += len(body)
        while self.bytes > LIMIT:
            self.bytes -= len(self.memory.popitem(last=False)[1])

    def in_memory(self, key):
        body = self.memory.get(key)
        if body is not None:
            self.memory.move_to_end(key)
        return body

    def on_disk(self, key):
        try:
            with open(self.path(key), "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def make(self, key, source):
        side, kind, quality = key.split("/", 4)[1:4]
        # All frames, where the result can have them.
        pages = "[n=-1]" if kind == "webp" and source[:3] == b"GIF" else ""
        image = pyvips.Image.thumbnail_buffer(source, int(side), height=int(side), size="down", option_string=pages)
        body = SAVERS[kind](image, int(quality))
        path = self.path(key)
        temporary = f"{path}.{os.getpid()}"
        with open(temporary, "wb") as file:
            file.write(body)
        os.rename(temporary, path)
        return body


class Service:
    async def resources(self, _):
        self.results = Results(os.environ["FOLDER"])
        self.pool = ThreadPoolExecutor(2)
        async with aiohttp.ClientSession() as self.session:
            yield

    async def thumbnail(self, request):
        key = request.raw_path
        body = self.results.in_memory(key)
        if body is None:
            body = await self.in_pool(self.results.on_disk, key) or await self.made(key)
            self.results.remember(key, body)
        return web.Response(body=body, content_type="image/" + request.match_info["kind"], headers={"Cache-Control": "public, max-age=86400"})

    async def made(self, key):
        async with self.session.get(unquote(key.split("/", 4)[4])) as response:
            if response.status != 200:
                raise web.HTTPBadGateway()
            source = await response.read()
        try:
            return await self.in_pool(self.results.make, key, source)
        except pyvips.Error:
            raise web.HTTPUnsupportedMediaType()

    def in_pool(self, *call):
        return asyncio.get_running_loop().run_in_executor(self.pool, *call)


async def application():
    # libvips would keep operations, whose results are kept here already.
    pyvips.cache_set_max(0)
    service, made = Service(), web.Application()
    made.router.add_get(r"/{side:\d+}/{kind:jpeg|png|webp|avif}/{quality:\d+}/{source:.+}", service.thumbnail)
    made.cleanup_ctx.append(service.resources)
    return made
