#!/usr/bin/env python3
"""Decoding against Pillow, OpenCV, imagecodecs, libvips, skia-python, simplejpeg and pillow-heif, on the same files, one thread each; and
against the system's libraries themselves, where there is a C compiler to build the programs beside this file.

    peers/codecs.py --photo PHOTO [--program PATH/TO/CodecBenchmark] [--formats jpeg,png,…] [--runs N] [--table FILE]

The files are made of the photograph at run time: nothing is kept. Each program decodes a case in a process of its own, from bytes in memory, once
to warm up and then RUNS times; processor time counts (median), so that other programs on the machine do not. The programs take turns, case by case.
"Above idle" is the peak of the process's memory less what it had when everything was loaded. Prints one JSON object a line (README.md); --table
writes a page with ratios. A peer that is not installed, or does not know a format, is left out.
"""
import argparse, collections, json, os, platform, random, re, shutil, subprocess, sys, tempfile, time

for name in ("OMP_NUM_THREADS", "VIPS_CONCURRENCY", "OPENCV_FOR_THREADS_NUM"):
    os.environ[name] = "1"

HERE = os.path.dirname(os.path.abspath(__file__))
PEERS = ["Pillow", "OpenCV", "imagecodecs", "spng", "pyvips", "skia", "simplejpeg", "pillow-heif"]


# What each peer does with the bytes of a file. None: it does not know the format.

def pillow(kind, way, data):
    import io
    from PIL import Image
    if kind not in ("jpeg", "png", "apng", "gif", "webp", "bmp", "tiff", "avif"):
        return None

    def whole():
        Image.open(io.BytesIO(data)).load()

    def frames():
        image = Image.open(io.BytesIO(data))
        for index in range(image.n_frames):
            image.seek(index)
            image.load()

    def thumbnail():
        image = Image.open(io.BytesIO(data))
        image.draft("RGB", (400, 400))
        image.thumbnail((400, 400))

    return {"decode": whole, "frames": frames, "400x400": thumbnail}[way]


def opencv(kind, way, data):
    import cv2, numpy
    if kind not in ("jpeg", "png", "webp", "bmp", "tiff", "avif"):
        return None
    cv2.setNumThreads(1)
    array = numpy.frombuffer(data, numpy.uint8)
    flag = cv2.IMREAD_COLOR if kind == "jpeg" else cv2.IMREAD_UNCHANGED
    if cv2.imdecode(array, flag) is None:
        return None

    import io
    from PIL import Image
    # The smallest size that is not below the one asked for.
    side = max(Image.open(io.BytesIO(data)).size) if kind == "jpeg" else 0
    reduced = (cv2.IMREAD_REDUCED_COLOR_8 if side >= 3200 else cv2.IMREAD_REDUCED_COLOR_4 if side >= 1600
               else cv2.IMREAD_REDUCED_COLOR_2 if side >= 800 else flag)

    def thumbnail():
        image = cv2.imdecode(array, reduced if kind == "jpeg" else flag)
        scale = 400 / max(image.shape[:2])
        cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)

    return {"decode": lambda: cv2.imdecode(array, flag), "400x400": thumbnail}.get(way)


def imagecodecs_peer(kind, way, data):
    import imagecodecs
    names = {"jpeg": "jpeg8_decode", "png": "png_decode", "webp": "webp_decode", "avif": "avif_decode", "jxl": "jpegxl_decode",
             "heic": "heif_decode", "bmp": "bmp_decode", "gif": "gif_decode"}
    if kind == "apng" and way == "frames":
        return lambda: imagecodecs.apng_decode(data)
    if way == "400x400" or kind not in names or (kind == "gif") != (way == "frames"):
        return None
    function = getattr(imagecodecs, names[kind])
    extra = {"numthreads": 1} if kind in ("avif", "jxl") else {}
    return lambda: function(data, **extra)


def spng(kind, way, data):
    import imagecodecs
    return (lambda: imagecodecs.spng_decode(data)) if kind == "png" and way == "decode" else None


def vips(kind, way, data):
    import pyvips
    pyvips.cache_set_max(0)
    if kind == "apng" and way == "frames":
        return None
    pages = {"n": -1} if way == "frames" else {}

    def whole():
        pyvips.Image.new_from_buffer(data, "", access="sequential", **pages).write_to_memory()

    def thumbnail():
        pyvips.Image.thumbnail_buffer(data, 400, height=400).write_to_memory()

    return thumbnail if way == "400x400" else whole


def skia_peer(kind, way, data):
    import skia
    if kind not in ("jpeg", "png", "webp", "bmp", "gif") or way != "decode":
        return None
    encoded = skia.Data.MakeWithoutCopy(data)
    return lambda: skia.Image.MakeFromEncoded(encoded).makeRasterImage(skia.Image.kDisallow_CachingHint)


def simplejpeg_peer(kind, way, data):
    import simplejpeg
    if kind != "jpeg":
        return None
    if way == "decode":
        return lambda: simplejpeg.decode_jpeg(data, colorspace="RGB", fastdct=False)
    import cv2
    cv2.setNumThreads(1)

    def thumbnail():
        image = simplejpeg.decode_jpeg(data, colorspace="RGB", fastdct=False, min_height=300, min_width=300, min_factor=1)
        scale = 400 / max(image.shape[:2])
        cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)

    return thumbnail


def pillow_heif_peer(kind, way, data):
    import io, pillow_heif
    pillow_heif.options.DECODE_THREADS = 1
    return (lambda: pillow_heif.open_heif(io.BytesIO(data), convert_hdr_to_8bit=True).to_pillow()) \
        if kind == "heic" and way == "decode" else None


FUNCTIONS = dict(zip(PEERS, [pillow, opencv, imagecodecs_peer, spng, vips, skia_peer, simplejpeg_peer, pillow_heif_peer]))


def peak_memory(resets=False):
    """MiB. The kernel's own peak counts what the parent process had; this one begins anew."""
    if resets:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM"))


def run_peer(peer, kind, way, case, path, runs):
    with open(path, "rb") as file:
        data = file.read()
    try:
        work = FUNCTIONS[peer](kind, way, data)
        if work is None:
            return
        idle = peak_memory(resets=True)
        work()
    except Exception as error:
        print(f"{peer}: {case}: {error}", file=sys.stderr)
        return
    cpu, wall = [], []
    for _ in range(runs):
        start, wall_start = time.process_time(), time.perf_counter()
        work()
        cpu.append((time.process_time() - start) * 1000)
        wall.append((time.perf_counter() - wall_start) * 1000)
    cpu.sort()
    wall.sort()
    peak = peak_memory()
    print(json.dumps({"group": "codecs", "case": case, "program": peer, "cpu_ms": cpu[runs // 2], "best_ms": cpu[0],
                      "wall_ms": wall[runs // 2], "peak_mib": peak}))
    print(json.dumps({"group": "codecs-memory", "case": case, "program": peer, "above_idle_mib": peak - idle}))


def screenshot():
    """Windows with text on a plain ground: what screens look like."""
    from PIL import Image, ImageDraw
    random.seed(1)
    image = Image.new("RGB", (2560, 1600), (240, 240, 240))
    draw = ImageDraw.Draw(image)
    for _ in range(6):
        x, y = random.randrange(1800), random.randrange(1000)
        draw.rectangle([x, y, x + 700, y + 500], fill=(255, 255, 255), outline=(90, 90, 90))
        draw.rectangle([x, y, x + 700, y + 30], fill=(60, 80, 160))
        for line in range(30):
            draw.text((x + 10, y + 40 + line * 15), " ".join(random.choice(["lorem", "ipsum", "dolor", "sit", "amet"]) for _ in range(16)),
                      fill=(20, 20, 20))
    return image


def cases(photo, folder, formats):
    """(format, name of the picture, path, ways)."""
    from PIL import Image, ImageOps
    large = ImageOps.fit(photo, (4000, 3000), Image.Resampling.BICUBIC)
    medium = large.resize((1600, 1200))
    clear = medium.copy()
    clear.putalpha(Image.linear_gradient("L").resize(medium.size))
    screen = screenshot()

    def file(name, image, kind, **options):
        path = os.path.join(folder, name.replace(" ", "-"))
        image.save(path, kind, **options)
        return path

    both = ["decode", "400x400"]
    makers = {
        "jpeg": lambda: [("jpeg", "JPEG 12 MP", file("a.jpg", large, "JPEG", quality=85), both),
                         ("jpeg", "JPEG 12 MP progressive", file("b.jpg", large, "JPEG", quality=85, progressive=True), both)],
        "png": lambda: [("png", "PNG 12 MP photograph", file("a.png", large, "PNG"), both),
                        ("png", "PNG screenshot 2560 × 1600", file("b.png", screen, "PNG"), both),
                        ("png", "PNG screenshot, palette", file("c.png", screen.convert("P"), "PNG"), ["decode"]),
                        ("png", "PNG 2 MP with alpha", file("d.png", clear, "PNG"), ["decode"])],
        "apng": lambda: [("apng", "APNG 480 × 360, 20 frames", animation(large, folder, "PNG", 20), ["decode", "frames"])],
        "gif": lambda: [("gif", "GIF 480 × 360, 40 frames", animation(large, folder), ["decode", "frames"])],
        "webp": lambda: [("webp", "WebP 12 MP lossy", file("a.webp", large, "WEBP", quality=80, method=2), both),
                         ("webp", "WebP 2 MP lossless", file("b.webp", clear, "WEBP", lossless=True, method=1), ["decode"])],
        "bmp": lambda: [("bmp", "BMP 12 MP", file("a.bmp", large, "BMP"), both)],
        "tiff": lambda: [("tiff", "TIFF 12 MP, LZW", file("a.tif", large, "TIFF", compression="tiff_lzw"), both),
                         ("tiff", "TIFF 12 MP, deflate", file("b.tif", large, "TIFF", compression="tiff_adobe_deflate"), ["decode"])],
        "avif": lambda: [("avif", "AVIF 12 MP", file("a.avif", large, "AVIF", quality=60, speed=9), both)],
        "jxl": lambda: [("jxl", "JPEG XL 12 MP", jxl(large, folder), ["decode"])],
        "heic": lambda: [("heic", "HEIC 12 MP", heic(large, folder), ["decode"])],
    }
    for kind in formats:
        try:
            yield from makers[kind]()
        except Exception as error:
            print(f"no file of {kind}: {error}", file=sys.stderr)


def animation(photo, folder, kind="GIF", count=40):
    frames = [photo.resize((480, 360), box=(index * 20, index * 10, index * 20 + 1600, index * 10 + 1200)) for index in range(count)]
    path = os.path.join(folder, "animation." + kind.lower())
    frames[0].save(path, kind, save_all=True, append_images=frames[1:], duration=50, loop=0)
    return path


def jxl(photo, folder):
    import imagecodecs, numpy
    path = os.path.join(folder, "a.jxl")
    with open(path, "wb") as file:
        file.write(imagecodecs.jpegxl_encode(numpy.asarray(photo), level=85, effort=3))
    return path


def heic(photo, folder):
    import pillow_heif
    path = os.path.join(folder, "a.heic")
    pillow_heif.from_pillow(photo).save(path, quality=60)
    return path


def libraries(folder):
    """Commands that time the system's libraries, by format: (format, way, case, path, runs) to words, or None."""
    built = {}
    for name, flags in [("libjpeg_turbo", ["-ljpeg"]), ("libraries", ["-lgif", "-lwebp", "-lavif", "-lheif", "-ljxl", "-ltiff"])]:
        path = os.path.join(folder, name)
        compiler = shutil.which("cc") or shutil.which("clang")
        source = os.path.join(HERE, name + ".c")
        if compiler and subprocess.run([compiler, "-O2", "-o", path, source, *flags], stderr=subprocess.DEVNULL).returncode == 0:
            built[name] = path
        else:
            print(f"{name}.c cannot be built here: left out", file=sys.stderr)

    def command(kind, way, case, path, runs):
        if kind == "jpeg" and "libjpeg_turbo" in built:
            return [built["libjpeg_turbo"], case, path, "8" if way == "decode" else "1", str(runs)]
        wanted = "frames" if kind == "gif" else "decode"
        if kind in ("gif", "webp", "avif", "heic", "jxl", "tiff") and way == wanted and "libraries" in built:
            return [built["libraries"], kind, case, path, str(runs)]
        return None

    return command


LIBRARIES = {"libjpeg-turbo 8/8", "libjpeg-turbo 1/8", "giflib", "libwebp", "libavif", "libheif", "libjxl", "libtiff"}


def processor():
    model = re.search(r"model name\s*: (.*)", open("/proc/cpuinfo").read()) if os.path.exists("/proc/cpuinfo") else None
    return model[1].strip() if model else platform.machine()


def table(lines, page, commit):
    times, memory = collections.defaultdict(dict), collections.defaultdict(dict)
    for line in lines:
        if line["group"] == "codecs":
            times[line["case"]][line["program"]] = line["cpu_ms"]
        else:
            memory[line["case"]][line["program"]] = line["above_idle_mib"]
    with open(page, "w") as file:
        file.write("# Decoding\n\nMade by `Benchmarks/peers/codecs.py`; its first lines say how. Milliseconds of processor time, medians, one run, one thread;\n"
                   f"in brackets MiB above idle. {processor()}, {os.cpu_count()} cores, Gannet {commit}. The ratio is the best peer's time to ours.\n\n")
        file.write("The system's library itself decodes into used memory; `1/8` is its decode at an eighth of the size, without a resize. The last column\n"
                   "is its time to ours.\n\n")
        file.write("| case | Gannet | best peer | ratio | the others | the library itself | ratio |\n|---|---:|---:|---:|---|---:|---:|\n")
        for case, programs in times.items():
            def cell(program):
                return f"{programs[program]:.1f} ({memory[case][program]:.0f})" if program in memory[case] else f"{programs[program]:.1f}"
            ours = programs.get("gannet")
            if ours is None:
                continue
            peers = sorted((time, name) for name, time in programs.items() if name != "gannet" and name not in LIBRARIES)
            rest = ", ".join(f"{name} {cell(name)}" for _, name in peers[1:]) or "–"
            best = f"{peers[0][1]} {cell(peers[0][1])} | **{peers[0][0] / ours:.2f}**" if peers else "– | –"
            own = next((name for name in programs if name in LIBRARIES), None)
            library = f"{own} {cell(own)} | {programs[own] / ours:.2f}" if own else "– | –"
            file.write(f"| {case} | {cell('gannet')} | {best} | {rest} | {library} |\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--photo")
    parser.add_argument("--program", default=os.path.join(HERE, "../../.build-bench/release/CodecBenchmark"))
    parser.add_argument("--formats", default="jpeg,png,apng,gif,webp,bmp,tiff,avif,jxl,heic")
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--table")
    parser.add_argument("--commit", default="of a commit that was not named")
    parser.add_argument("--peer", nargs=5, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peer:
        run_peer(*arguments.peer, arguments.runs)
        return
    from PIL import Image
    Image.MAX_IMAGE_PIXELS = None
    photo = Image.open(arguments.photo).convert("RGB")
    lines = []

    def call(*command):
        result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        for line in result.stdout.splitlines():
            if line.startswith("{"):
                print(line, flush=True)
                lines.append(json.loads(line))
            else:
                print(line, file=sys.stderr)

    with tempfile.TemporaryDirectory() as folder:
        library = libraries(folder)
        for kind, name, path, ways in cases(photo, folder, arguments.formats.split(",")):
            for way in ways:
                case = name + {"decode": "", "frames": ", all frames", "400x400": " to 400"}[way]
                call(arguments.program, way, case, path, str(arguments.runs))
                itself = library(kind, way, case, path, arguments.runs)
                if itself:
                    call(*itself)
                for peer in PEERS:
                    call(sys.executable, os.path.abspath(__file__), "--runs", str(arguments.runs), "--peer", peer, kind, way, case, path)
    if arguments.table:
        table(lines, arguments.table, arguments.commit)


main()
