#!/usr/bin/env python3
"""Transformers against Pillow, OpenCV, libvips and cykooz.resizer, in one run, on the same pixels, one thread each.

    peers/transforms.py PHOTO… [--program PATH/TO/TransformBenchmark] [--quality]

Each case runs once to warm up and then RUNS times; processor time counts, so that other programs on the machine do not. The program and
its peers take turns, case by case. Prints one JSON object a line (see README.md). With --quality: how near the pixels are to the peer's with
the same filter, as PSNR and mean colour difference (CIEDE2000).
"""
import argparse, json, math, os, shutil, subprocess, sys, tempfile, time

for name in ("OMP_NUM_THREADS", "VIPS_CONCURRENCY"):
    os.environ[name] = "1"

import cv2
import numpy
import pyvips
from cykooz_resizer import FilterType, ResizeAlg, ResizeOptions, Resizer
from PIL import Image, ImageDraw, ImageFilter, ImageOps

cv2.setNumThreads(1)
pyvips.cache_set_max(0)
RUNS = 15


def measure(case, program, work):
    work()
    cpu, wall = [], []
    for _ in range(RUNS):
        start, wall_start = time.process_time(), time.perf_counter()
        work()
        cpu.append((time.process_time() - start) * 1000)
        wall.append((time.perf_counter() - wall_start) * 1000)
    cpu.sort()
    wall.sort()
    print(json.dumps({"group": "transforms", "case": case, "program": program, "cpu_ms": cpu[len(cpu) // 2], "best_ms": cpu[0],
                      "wall_ms": wall[len(wall) // 2]}), flush=True)


def vips_image(pixels):
    height, width, bands = pixels.shape
    image = pyvips.Image.new_from_memory(pixels.tobytes(), width, height, bands, "uchar")
    return image.copy(interpretation="srgb")


def cykooz(picture, size, algorithm):
    result = Image.new(picture.mode, size)
    resizer = Resizer()
    resizer.resize_pil(picture, result, ResizeOptions(algorithm))
    return result


def cases(large, full):
    """(case, what our program is asked, which picture, {peer: function})."""
    array, full_array = numpy.asarray(large), numpy.asarray(full)
    vips, full_vips = vips_image(array), vips_image(full_array)
    straight = full
    width, height = large.size
    small = (400, round(height * 400 / width))
    half = (width // 2, height // 2)
    # Premultiplied, as our pictures are: Pillow and cykooz.resizer need not multiply and divide.
    large, full = large.convert("RGBa"), full.convert("RGBa")

    # Pillow draws without smooth edges: four times as large, then shrunk, as its users do.
    def pillow_round():
        mask = Image.new("L", (full.width * 2, full.height * 2), 0)
        ImageDraw.Draw(mask).rounded_rectangle((0, 0, full.width * 2 - 1, full.height * 2 - 1), 160, fill=255)
        result = straight.copy()
        result.putalpha(mask.resize(full.size, Image.Resampling.BOX))

    def vips_round():
        svg = f'<svg viewBox="0 0 {full.width} {full.height}"><rect width="{full.width}" height="{full.height}" rx="80"/></svg>'
        mask = pyvips.Image.svgload_buffer(svg.encode())[3]
        full_vips[:3].bandjoin(mask).write_to_memory()

    sizes_of = []

    def opencv_rotate():
        canvas = full.rotate(-17, expand=True).size if not sizes_of else sizes_of[0]
        sizes_of[:] = [canvas]
        matrix = cv2.getRotationMatrix2D((full.width / 2, full.height / 2), -17, 1)
        matrix[:, 2] += [(canvas[0] - full.width) / 2, (canvas[1] - full.height) / 2]
        cv2.warpAffine(full_array, matrix, canvas, flags=cv2.INTER_CUBIC)

    def sizes(to, case, spec, pillow, cv, alg, vips_kernel):
        peers = {"Pillow": lambda: large.resize(to, pillow), "OpenCV": lambda: cv2.resize(array, to, interpolation=cv),
                 "libvips": lambda: vips.thumbnail_image(to[0], height=to[1], size="force").write_to_memory() if vips_kernel is None
                 else vips.resize(to[0] / width, vscale=to[1] / height, kernel=vips_kernel).write_to_memory()}
        if alg is not None:
            name = "cykooz.resizer" + (" super_sampling" if alg.multiplicity else "")
            peers[name] = lambda: cykooz(large, to, alg)
        return (case, f"resize:{spec}:{to[0]}x{to[1]}", "large", peers)

    to400 = sizes(small, "12 MP to 400, automatic", "automatic", Image.Resampling.LANCZOS, cv2.INTER_AREA,
                  ResizeAlg.super_sampling(FilterType.lanczos3, 2), None)
    to400[3]["Pillow reducing_gap"] = lambda: large.resize(small, Image.Resampling.LANCZOS, reducing_gap=2.0)
    to400[3]["Pillow BOX"] = lambda: large.resize(small, Image.Resampling.BOX)
    yield to400
    yield sizes(small, "12 MP to 400, Lanczos 3", "lanczos3", Image.Resampling.LANCZOS, cv2.INTER_LANCZOS4,
                ResizeAlg.convolution(FilterType.lanczos3), "lanczos3")
    yield sizes(half, "12 MP to half, Lanczos 3", "lanczos3", Image.Resampling.LANCZOS, cv2.INTER_LANCZOS4,
                ResizeAlg.convolution(FilterType.lanczos3), "lanczos3")
    yield sizes(small, "12 MP to 400, box", "box", Image.Resampling.BOX, cv2.INTER_AREA, ResizeAlg.convolution(FilterType.box), None)
    bigger = (full.width * 3 // 2, full.height * 3 // 2)
    yield ("1080p times 1.5, Catmull-Rom", f"resize:catmullRom:{bigger[0]}x{bigger[1]}", "full", {
        "Pillow": lambda: full.resize(bigger, Image.Resampling.BICUBIC),
        "OpenCV": lambda: cv2.resize(full_array, bigger, interpolation=cv2.INTER_CUBIC),
        "libvips": lambda: full_vips.resize(1.5, kernel="cubic").write_to_memory(),
        "cykooz.resizer": lambda: cykooz(full, bigger, ResizeAlg.convolution(FilterType.catmull_rom))})
    for sigma in (2, 20):
        yield (f"1080p blur {sigma}", f"blur:{sigma}", "full", {
            "Pillow": lambda s=sigma: straight.filter(ImageFilter.GaussianBlur(s)),
            "OpenCV": lambda s=sigma: cv2.GaussianBlur(full_array, (0, 0), s),
            "OpenCV stack blur": lambda s=sigma: cv2.stackBlur(full_array, (int(s * 2) * 2 + 1,) * 2),
            "libvips": lambda s=sigma: full_vips.gaussblur(s).write_to_memory()})
    yield ("1080p round corners 80", "round:80", "full", {"Pillow": pillow_round, "libvips": vips_round})
    yield ("1080p rotate 17°, cubic", "rotate:17", "full", {
        "Pillow": lambda: full.rotate(-17, Image.Resampling.BICUBIC, expand=True), "OpenCV": opencv_rotate,
        "libvips": lambda: full_vips.similarity(angle=17, interpolate=pyvips.Interpolate.new("bicubic")).write_to_memory()})
    yield ("1080p rotate 90°", "rotate:90", "full", {
        "Pillow": lambda: full.transpose(Image.Transpose.ROTATE_270), "OpenCV": lambda: cv2.rotate(full_array, cv2.ROTATE_90_CLOCKWISE),
        "libvips": lambda: full_vips.rot90().write_to_memory()})
    yield ("1080p flip", "flip:h", "full", {
        "Pillow": lambda: full.transpose(Image.Transpose.FLIP_LEFT_RIGHT), "OpenCV": lambda: cv2.flip(full_array, 1),
        "libvips": lambda: full_vips.fliphor().write_to_memory()})
    yield ("1080p grey", "gray", "full", {
        "Pillow": lambda: straight.convert("L").convert("RGBA"),
        "OpenCV": lambda: cv2.cvtColor(cv2.cvtColor(full_array, cv2.COLOR_RGBA2GRAY), cv2.COLOR_GRAY2RGBA),
        "libvips": lambda: full_vips[:3].recomb([[0.2126, 0.7152, 0.0722]] * 3).cast("uchar").bandjoin(255).write_to_memory()})
    yield ("1080p sharpen", "sharpen:2,0.5", "full", {
        "Pillow": lambda: straight.filter(ImageFilter.UnsharpMask(2, 50, 0)),
        "OpenCV": lambda: cv2.addWeighted(full_array, 1.5, cv2.GaussianBlur(full_array, (0, 0), 2), -0.5, 0)})


def saturation(amount):
    """Rows of a colour matrix for ImageMagick: towards brightness by ITU-R BT.709."""
    shares = (0.2126, 0.7152, 0.0722)
    return " ".join(" ".join(str(share * (1 - amount) + (amount if row == column else 0)) for column, share in enumerate(shares)) for row in range(3))


def covered(picture, radius):
    """The picture with round corners, on black: as premultiplied pixels are stored. The mask is drawn eight times as large."""
    times = 8
    mask = Image.new("L", (picture.width * times, picture.height * times))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, mask.width - 1, mask.height - 1), radius * times, fill=255)
    mask = mask.resize(picture.size, Image.Resampling.BOX)
    return Image.composite(picture, Image.new("RGBA", picture.size), mask)


def rotated(array, degrees, size):
    """Clockwise around the middle, into a picture of this size, by Catmull-Rom."""
    height, width = array.shape[:2]
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    # libvips puts the middle of the first pixel at 0.
    middle = ((width - 1) / 2, (height - 1) / 2)
    target = ((size[0] - 1) / 2, (size[1] - 1) / 2)
    turned = vips_image(array).affine(
        [cosine, -sine, sine, cosine], interpolate=pyvips.Interpolate.new("bicubic"), oarea=[0, 0, *size],
        odx=target[0] - cosine * middle[0] + sine * middle[1], ody=target[1] - sine * middle[0] - cosine * middle[1])
    return Image.fromarray(numpy.ndarray(buffer=turned.write_to_memory(), dtype=numpy.uint8, shape=[size[1], size[0], 4]))


def quality(program, large, full, folder):
    """Answers the agreement of one photograph by case and peer: decibels and ΔE."""
    found = {}
    import colour_difference
    array, full_array = numpy.asarray(large), numpy.asarray(full)
    resampling = Image.Resampling
    width, height = large.size
    small = (400, round(height * 400 / width))
    bigger = (full.width * 3 // 2, full.height * 3 // 2)
    pairs = [("resize lanczos3 to 400", f"resize:lanczos3:{small[0]}x{small[1]}", "large", "Pillow", lambda: large.resize(small, resampling.LANCZOS)),
             ("resize automatic to 400", f"resize:automatic:{small[0]}x{small[1]}", "large", "Pillow LANCZOS", lambda: large.resize(small, resampling.LANCZOS)),
             ("resize box to 400", f"resize:box:{small[0]}x{small[1]}", "large", "Pillow", lambda: large.resize(small, resampling.BOX)),
             ("resize triangle to 400", f"resize:triangle:{small[0]}x{small[1]}", "large", "Pillow", lambda: large.resize(small, resampling.BILINEAR)),
             ("resize catmullRom × 1.5", f"resize:catmullRom:{bigger[0]}x{bigger[1]}", "full", "Pillow", lambda: full.resize(bigger, resampling.BICUBIC)),
             ("resize lanczos3 × 1.5", f"resize:lanczos3:{bigger[0]}x{bigger[1]}", "full", "Pillow", lambda: full.resize(bigger, resampling.LANCZOS)),
             ("resize lanczos3 to 400", f"resize:lanczos3:{small[0]}x{small[1]}", "large", "libvips", lambda: Image.fromarray(numpy.ndarray(
                 buffer=vips_image(array).resize(small[0] / width, vscale=small[1] / height, kernel="lanczos3").write_to_memory(), dtype=numpy.uint8,
                 shape=[small[1], small[0], 4]))),
             ("blur 2", "blur:2", "full", "OpenCV", lambda: Image.fromarray(cv2.GaussianBlur(full_array, (0, 0), 2, borderType=cv2.BORDER_REPLICATE))),
             ("blur 20", "blur:20", "full", "OpenCV", lambda: Image.fromarray(cv2.GaussianBlur(full_array, (0, 0), 20, borderType=cv2.BORDER_REPLICATE))),
             ("flip", "flip:h", "full", "Pillow", lambda: ImageOps.mirror(full)),
             ("rotate 90", "rotate:90", "full", "Pillow", lambda: full.transpose(Image.Transpose.ROTATE_270)),
             ("grey", "gray", "full", "libvips recomb", lambda: Image.fromarray(numpy.ndarray(buffer=vips_image(full_array)[:3].recomb(
                 [[0.2126, 0.7152, 0.0722]] * 3).rint().cast("uchar").bandjoin(255).write_to_memory(), dtype=numpy.uint8, shape=[full.height, full.width, 4]))),
             ("invert", "invert", "full", "Pillow", lambda: ImageOps.invert(full.convert("RGB")).convert("RGBA")),
             ("rotate 17, cubic", "rotate:17", "full", "libvips", lambda: rotated(full_array, 17, size)),
             ("round corners 80", "round:80", "full", "Pillow", lambda: covered(full, 80)),
             ("circle", "circle", "full", "Pillow", lambda: covered(
                 full.crop(((full.width - full.height) // 2, 0, (full.width + full.height) // 2, full.height)), full.height / 2))]
    if not shutil.which("convert"):
        print("There is no ImageMagick: apt-get install imagemagick", file=sys.stderr)
    elif "ImageMagick" in subprocess.run(["convert", "-version"], capture_output=True, text=True).stdout:
        def magick(which, *words):
            source = large if which == "large" else full
            path = os.path.join(folder, "magick.png")
            subprocess.run(["convert", "-size", f"{source.width}x{source.height}", "-depth", "8", "rgba:" + os.path.join(folder, which + ".rgba"),
                            *words, path], check=True)
            return Image.open(path).convert("RGBA")
        to400, to_bigger = f"{small[0]}x{small[1]}", f"{bigger[0]}x{bigger[1]}"
        for name, filter in (("lanczos3", "Lanczos"), ("mitchell", "Mitchell"), ("catmullRom", "Catrom"), ("triangle", "Triangle"), ("box", "Box")):
            pairs.append((f"resize {name} to 400", f"resize:{name}:{to400}", "large", "ImageMagick",
                          lambda filter=filter: magick("large", "-filter", filter, "-resize", to400 + "!")))
        pairs += [(f"resize {name} × 1.5", f"resize:{name}:{to_bigger}", "full", "ImageMagick",
                   lambda filter=filter: magick("full", "-filter", filter, "-resize", to_bigger + "!"))
                  for name, filter in (("catmullRom", "Catrom"), ("mitchell", "Mitchell"))]
        same = [("blur 2", "blur:2", "-blur", "0x2"), ("blur 5", "blur:5", "-blur", "0x5"), ("blur 20", "blur:20", "-blur", "0x20"),
                ("sharpen 2, 0.5", "sharpen:2,0.5", "-unsharp", "0x2+0.5+0"),
                ("crop", "crop:301,200,640,480", "-crop", "640x480+301+200", "+repage"), ("flip", "flip:h", "-flop"),
                ("flip downwards", "flip:v", "-flip"), ("rotate 90", "rotate:90", "-rotate", "90"), ("rotate 180", "rotate:180", "-rotate", "180"),
                ("grey", "gray", "-grayscale", "Rec709Luma"), ("invert", "invert", "-channel", "RGB", "-negate"),
                ("brightness 0.1", "color:brightness=0.1", "-channel", "RGB", "-evaluate", "add", "10%"),
                ("contrast 1.2", "color:contrast=1.2", "-channel", "RGB", "-function", "polynomial", "1.2,-0.1"),
                ("saturation 0.5", "color:saturation=0.5", "-color-matrix", saturation(0.5)),
                ("exposure 0.7", "color:exposure=0.7", "-colorspace", "RGB", "-channel", "RGB", "-evaluate", "multiply", str(2 ** 0.7), "-colorspace", "sRGB"),
                ("overlay red, half", "overlay:ff0000ff,0.5", "-fill", "red", "-colorize", "50%"),
                ("border 10", "border:10,0000ffff", "-shave", "10x10", "-bordercolor", "blue", "-border", "10x10")]
        pairs += [(case, spec, "full", "ImageMagick", lambda words=words: magick("full", *words)) for case, spec, *words in same]
    for case, spec, which, peer, work in pairs:
        source = large if which == "large" else full
        output = os.path.join(folder, "out.rgba")
        # Also for peers that are told the size.
        size = subprocess.run([program, "apply", os.path.join(folder, which + ".rgba"), *map(str, source.size), spec, "-o", output],
                              check=True, capture_output=True, text=True).stdout.split()
        size = tuple(map(int, size))
        ours = numpy.fromfile(output, dtype=numpy.uint8).reshape(size[1], size[0], 4)
        theirs = numpy.asarray(work())
        if ours.shape != theirs.shape:
            print(case, "sizes differ:", ours.shape, theirs.shape, file=sys.stderr)
            continue
        if "cubic" in case:
            # The edges of a turned picture are drawn in other ways: what is inside for both counts.
            inside = (ours[..., 3] == 255) & (theirs[..., 3] == 255)
            ours, theirs = ours[inside][numpy.newaxis], theirs[inside][numpy.newaxis]
        ours, theirs = ours[..., :3], theirs[..., :3]
        error = numpy.mean((ours.astype(float) - theirs) ** 2)
        psnr = 99.0 if error == 0 else 10 * numpy.log10(255 ** 2 / error)
        found[case, peer] = (round(float(psnr), 1), round(colour_difference.mean(ours, theirs), 3))
    return found


def with_pictures(path, work):
    photo = Image.open(path).convert("RGB")
    # 4000 × 3000, whatever the photograph's size: 12 megapixels.
    large = ImageOps.fit(photo, (4000, 3000), Image.Resampling.BICUBIC).convert("RGBA")
    full = ImageOps.fit(photo, (1920, 1080), Image.Resampling.LANCZOS).convert("RGBA")
    with tempfile.TemporaryDirectory() as folder:
        for name, picture in (("large", large), ("full", full)):
            with open(os.path.join(folder, name + ".rgba"), "wb") as file:
                file.write(picture.tobytes())
        return work(large, full, folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("photos", nargs="+", metavar="photo", help="speed is measured with the first one")
    parser.add_argument("--program", default=os.path.join(os.path.dirname(__file__), "../../.build-bench/release/TransformBenchmark"))
    parser.add_argument("--quality", action="store_true")
    parser.add_argument("--only", default="", help="cases whose name contains this text")
    arguments = parser.parse_args()
    if arguments.quality:
        worst = {}
        for photo in arguments.photos:
            for key, (psnr, delta_e) in with_pictures(photo, lambda *pictures: quality(arguments.program, *pictures)).items():
                before = worst.get(key, (psnr, delta_e))
                worst[key] = (min(psnr, before[0]), max(delta_e, before[1]))
        for (case, peer), (psnr, delta_e) in worst.items():
            print(json.dumps({"group": "transform-quality", "case": case, "program": peer, "psnr": psnr, "delta_e": delta_e}), flush=True)
        return

    def speed(large, full, folder):
        for case, spec, which, peers in cases(large, full):
            if arguments.only not in case:
                continue
            source = large if which == "large" else full
            lines = subprocess.run([arguments.program, "time", os.path.join(folder, which + ".rgba"), *map(str, source.size), spec], check=True,
                                   capture_output=True, text=True).stdout
            line = json.loads(lines)
            line["case"] = case
            print(json.dumps(line), flush=True)
            for peer, work in peers.items():
                measure(case, peer, work)

    with_pictures(arguments.photos[0], speed)


main()
