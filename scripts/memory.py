#!/usr/bin/env python3
"""Memory of decoding, by gannet-lab: what a decode takes beside what was reserved for it, and files that would eat the machine.

    scripts/memory.py bombs LAB                 every bomb is refused or decoded within its bound; fails otherwise
    scripts/memory.py table LAB [PHOTO]         a page: 12 megapixels in each format, what was reserved and what was taken

LAB is the program gannet-lab, with gannet beside it.

The files are made here, of nothing or of PHOTO (a drawn picture if none is named). Each decode runs in a process of its own; its peak is
what the process's memory grew by, from when the file had been read (of SVG without the process that draws it, which has a bound of its own). Nothing here depends on how fast the machine is: processor time is
printed, and only the peak and the outcome are checked. About two minutes each.
"""
import gzip, json, os, random, shutil, struct, subprocess, sys, tempfile, zlib

MIB = 1 << 20
WAYS = ["header", "whole", "thumbnail", "progressive"]


def run(lab, way, path, cap):
    """The outcome of one decode; a process that dies or hangs has one, too."""
    try:
        done = subprocess.run([lab, "memory", way, path], capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return {"error": "hangs", "peak": 0, "reserved": 0, "cpu_ms": 300_000}
    if done.returncode != 0:
        return {"error": f"exit code {done.returncode}", "peak": 0, "reserved": 0, "cpu_ms": 0}
    return json.loads(done.stdout)


# Bombs

def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def zeros(count, step=1 << 20):
    """`count` zero bytes, deflated; a thousandth of that."""
    packer, out = zlib.compressobj(9), []
    for start in range(0, count, step):
        out.append(packer.compress(bytes(min(step, count - start))))
    return b"".join(out) + packer.flush()


def png(width, height, depth=8, colour=0, data=None, before=b"", interlace=0):
    row = (width * depth * {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour] + 7) // 8 + 1
    data = zeros(row * height) if data is None else data
    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlace)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + before + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def apng(width, height, frames):
    out = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
    out += chunk(b"acTL", struct.pack(">II", frames, 0))
    control = lambda n, w, h: chunk(b"fcTL", struct.pack(">IIIIIHHBB", n, w, h, 0, 0, 1, 100, 0, 0))
    out += control(0, width, height) + chunk(b"IDAT", zeros((width * 4 + 1) * height))
    small = zlib.compress(bytes(5))
    for frame in range(1, frames):
        out += control(2 * frame - 1, 1, 1) + chunk(b"fdAT", struct.pack(">I", 2 * frame) + small)
    return out + chunk(b"IEND", b"")


def gif(width, height, frames, frame_width=1, frame_height=1):
    out = b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80, 0, 0) + bytes(6)
    frame = b"!\xf9\x04\x04\x05\x00\x00\x00" + b"," + struct.pack("<HHHHB", 0, 0, frame_width, frame_height, 0) + b"\x02\x02\x44\x01\x00"
    return out + b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00" + frame * frames + b";"


def segment(marker, data):
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data


def jpeg(width, height, scans, progressive=True):
    """Grey; scans that say nothing of all blocks."""
    blocks = ((width + 7) // 8) * ((height + 7) // 8)
    out = b"\xff\xd8" + segment(0xDB, bytes([0]) + bytes([8] * 64))
    out += segment(0xC2, struct.pack(">BHHB", 8, height, width, 1) + bytes([1, 0x11, 0]))
    out += segment(0xC4, bytes([0, 1] + [0] * 15 + [0])) + segment(0xC4, bytes([0x10, 1] + [0] * 15 + [0xE0]))
    out += segment(0xDA, bytes([1, 1, 0, 0, 0, 0])) + bytes((blocks + 7) // 8)
    empty = bytes(((blocks + 16383) // 16384 * 15 + 7) // 8)
    made = 1
    for coefficient in range(1, 64):
        for level in range(13, -1, -1):
            if made >= scans:
                break
            bits = (0 if level == 13 else level + 1) << 4 | level
            out += segment(0xDA, bytes([1, 1, 0, coefficient, coefficient, bits])) + empty
            made += 1
    return out + b"\xff\xd9"


def riff(*chunks):
    body = b"WEBP" + b"".join(kind + struct.pack("<I", len(data)) + data + bytes(len(data) & 1) for kind, data in chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def lossless_solid(width, height):
    # One colour: five Huffman codes of one symbol each.
    bits = (width - 1) | (height - 1) << 14 | 1 << 28
    body = struct.pack("<I", bits)
    return b"\x2f" + body + bytes([0x88, 0x88, 0x08, 0x07, 0x10, 0x11, 0x11, 0x88, 0x88, 0xFE, 0x07, 0x00])


def webp_animation(width, height, frames):
    size = lambda w, h: (w - 1).to_bytes(3, "little") + (h - 1).to_bytes(3, "little")
    still = lossless_solid(1, 1)
    image = b"VP8L" + struct.pack("<I", len(still)) + still + bytes(len(still) & 1)
    frame = bytes(6) + size(1, 1) + (100).to_bytes(3, "little") + b"\x00" + image
    return riff((b"VP8X", b"\x12\0\0\0" + size(width, height)), (b"ANIM", bytes(6)), *[(b"ANMF", frame)] * frames)


def bmp(width, height, compression, data):
    head = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 8, compression, len(data), 0, 0, 2, 0)
    return b"BM" + struct.pack("<IHHI", 62 + len(data), 0, 0, 62) + head + bytes(8) + data


def ico(entries):
    picture = png(256, 256, data=zlib.compress(bytes(257 * 256)))
    directory = b"".join(struct.pack("<BBBBHHII", 0, 0, 0, 0, 1, 32, len(picture), 6 + 16 * entries) for _ in range(entries))
    return struct.pack("<HHH", 0, 1, entries) + directory + picture


def tiff(width, height, data, compression=8, strips=1, pages=1):
    out = b"II*\0" + struct.pack("<I", 8 + len(data)) + data
    for page in range(pages):
        tags = [(256, 4, width), (257, 4, height), (258, 3, 8), (259, 3, compression), (262, 3, 1), (273, 4, 8), (277, 3, 1),
                (278, 4, height), (279, 4, len(data))]
        table = struct.pack("<H", len(tags))
        for tag, kind, value in tags:
            table += struct.pack("<HHII", tag, kind, 1, value)
        end = len(out) + len(table) + 4
        out += table + struct.pack("<I", end if page < pages - 1 else 0)
    return out


def svg(body, width="100", height="100", head=""):
    return f'{head}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="{width}" height="{height}">{body}</svg>'.encode()


def svg_uses(levels, copies):
    body = '<defs><g id="a0"><rect width="1" height="1"/></g>'
    for level in range(1, levels):
        body += f'<g id="a{level}">' + f'<use xlink:href="#a{level - 1}"/>' * copies + "</g>"
    return svg(body + f'</defs><use xlink:href="#a{levels - 1}"/>')


def svg_filter(primitives):
    return svg(f"<filter id='f'>{primitives}</filter><rect width='100' height='100' filter='url(#f)'/>")


def svg_pattern():
    return svg("<pattern id='p' width='1e30' height='1e30' patternUnits='userSpaceOnUse'><rect width='9' height='9'/></pattern>"
               "<rect width='100' height='100' fill='url(#p)'/>")


def svg_entities():
    lines = ['<!ENTITY a0 "lol">'] + [f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10)]
    return svg("<text>&a9;</text>", head="<!DOCTYPE svg [" + "".join(lines) + "]>")


def box(kind, data):
    return struct.pack(">I", len(data) + 8) + kind + data


def full(kind, data, version=0):
    return box(kind, struct.pack(">I", version << 24) + data)


def heif(brand, kind, configuration, width, height, tiles=0, canvas=0):
    """A file that promises a picture, alone or of so many tiles across and down, and has nothing in it. `canvas`: what the tiles lie on, if
    that is not what the file says of itself."""
    count = tiles * tiles
    items = [kind] * count + [b"grid"] if tiles else [kind]
    entries = b"".join(full(b"infe", struct.pack(">HH", n + 1, 0) + item + b"\0", 2) for n, item in enumerate(items))
    grid = struct.pack(">BBBBII", 0, 1, max(tiles - 1, 0), max(tiles - 1, 0), canvas or width, canvas or height)
    size = full(b"ispe", struct.pack(">II", width, height))
    properties = box(b"ipco", size + configuration)
    links = struct.pack(">I", len(items)) + b"".join(struct.pack(">HBBB", n + 1, 2, 1, 0x82) for n in range(len(items)))
    inside = full(b"hdlr", bytes(4) + b"pict" + bytes(13)) + full(b"pitm", struct.pack(">H", len(items)))
    inside += full(b"iinf", struct.pack(">H", len(items)) + entries)
    if tiles:
        links_to = b"".join(struct.pack(">H", n + 1) for n in range(count))
        inside += full(b"iref", box(b"dimg", struct.pack(">HH", count + 1, count) + links_to))
    inside += box(b"iprp", properties + full(b"ipma", links))
    data = bytes(64) + grid
    start = box(b"ftyp", brand + bytes(4) + brand + b"mif1miaf")
    lengths = lambda at: b"".join(
        struct.pack(">HHHHII", n + 1, 0, 0, 1, at + (64 if item == b"grid" else 0), len(grid) if item == b"grid" else 64)
        for n, item in enumerate(items))
    location = lambda at: full(b"iloc", b"\x44\x00" + struct.pack(">H", len(items)) + lengths(at), 1)
    at = len(start) + 12 + len(inside) + len(location(0)) + 8
    return start + full(b"meta", inside + location(at)) + box(b"mdat", data)


def jxl(width, height):
    """A bare stream whose header says that size; nothing follows."""
    bits = [0]
    put = lambda value, count: bits.extend(value >> n & 1 for n in range(count))
    bits.clear()
    put(0, 1), put(3, 2), put(height - 1, 30), put(0, 3), put(3, 2), put(width - 1, 30), put(1, 1), put(0, 60)
    packed = bytes(sum(bit << n for n, bit in enumerate(bits[at:at + 8])) for at in range(0, len(bits), 8))
    return b"\xff\x0a" + packed + bytes(200)


AV1C = box(b"av1C", b"\x81\x00\x0c\x00")
HVCC = box(b"hvcC", bytes.fromhex("01037000000000000000000000f000fcfdf8f800000f00"))

# What a bomb may take: pixels of 100 million at 4 bytes where it is within the limits, and little where it is refused.
LITTLE = 64 * MIB
LARGE = 10_000 * 10_000 * 4 + 128 * MIB


def bombs():
    """Name, bytes, the outcomes that are right, and the largest peak."""
    no, any_no = {"limitExceeded"}, {"limitExceeded", "corrupt", "truncated", "unsupported", "notAnImage"}
    fine = any_no | {""}
    yield "png-sides.png", png(60_000, 60_000, data=zlib.compress(b"")), no, LITTLE
    yield "png-largest-allowed.png", png(10_000, 10_000, 1), fine, LARGE
    yield "png-largest-interlaced.png", png(9_000, 9_000, 8, 6, interlace=1, data=zeros(9_000 * 9_000 * 4 + 20_000)), fine, LARGE
    yield "png-data-without-end.png", png(1, 1, data=zeros(400 * MIB)), fine, LITTLE
    yield "png-profile.png", png(1, 1, before=chunk(b"iCCP", b"a\0\0" + zeros(400 * MIB))), fine, LITTLE
    yield "png-text.png", png(1, 1, before=chunk(b"zTXt", b"a\0\0" + zeros(400 * MIB))), fine, LITTLE
    yield "png-frames.png", apng(4_000, 4_000, 5_000), fine, 3 * 4_000 * 4_000 * 4 + LITTLE
    yield "gif-sides.gif", gif(65_535, 65_535, 1), no, LITTLE
    yield "gif-frames.gif", gif(5_000, 5_000, 4_000), fine, 3 * 5_000 * 5_000 * 4 + LITTLE
    yield "gif-more-frames.gif", gif(1, 1, 200_000), fine, LITTLE
    yield "gif-frame-beyond.gif", gif(1, 1, 1, 10_000, 10_000), fine, LARGE
    yield "jpeg-sides.jpg", jpeg(65_500, 65_500, 1)[:200_000], no, LITTLE
    yield "jpeg-scans.jpg", jpeg(8_000, 8_000, 800), any_no, 2 * 8_000 * 8_000 * 4 + LITTLE
    yield "jpeg-scans-allowed.jpg", jpeg(2_000, 2_000, 400), fine, LITTLE
    yield "webp-sides.webp", riff((b"VP8L", lossless_solid(16_383, 16_383))), no, LITTLE
    yield "webp-largest-allowed.webp", riff((b"VP8L", lossless_solid(10_000, 10_000))), fine, 2 * LARGE
    yield "webp-frames.webp", webp_animation(5_000, 5_000, 4_000), fine, 4 * 5_000 * 5_000 * 4 + LITTLE
    yield "bmp-sides.bmp", bmp(60_000, 60_000, 1, b"\0\1"), no, LITTLE
    yield "bmp-largest-allowed.bmp", bmp(10_000, 10_000, 1, b"\0\1"), fine, LARGE
    yield "ico-entries.ico", ico(2_000), fine, LITTLE
    yield "qoi-sides.qoi", b"qoif" + struct.pack(">IIBB", 60_000, 60_000, 4, 0) + b"\xfd" * 100 + bytes(7) + b"\1", any_no, LITTLE
    yield "qoi-largest-allowed.qoi", b"qoif" + struct.pack(">IIBB", 10_000, 10_000, 4, 0) + b"\xfd" * 1_700_000 + bytes(7) + b"\1", fine, LARGE
    yield "pnm-sides.ppm", b"P6 60000 60000 255\n", any_no, LITTLE
    yield "pnm-promises.ppm", b"P6 9000 9000 255\n" + bytes(1000), any_no, LARGE
    yield "radiance-sides.hdr", b"#?RADIANCE\n\n-Y 60000 +X 60000\n" + bytes(1000), any_no, LITTLE
    yield "radiance-promises.hdr", b"#?RADIANCE\n\n-Y 9000 +X 9000\n" + bytes(100_000), any_no, 2 * LARGE
    yield "pfm-sides.pfm", b"PF\n60000 60000\n-1\n" + bytes(1000), any_no, LITTLE
    yield "tiff-sides.tif", tiff(60_000, 60_000, zlib.compress(b"")), no, LITTLE
    yield "tiff-one-strip.tif", tiff(10_000, 10_000, zeros(10_000 * 10_000)), fine, LARGE
    yield "tiff-strip-without-end.tif", tiff(16, 16, zeros(400 * MIB)), fine, LITTLE
    yield "tiff-pages.tif", tiff(1, 1, zlib.compress(b"\0"), pages=20_000), fine, LITTLE
    yield "svg-sides.svg", svg("<rect width='9' height='9'/>", "1000000", "1000000"), fine, LARGE
    yield "svg-uses.svg", svg_uses(30, 10), any_no, LITTLE
    yield "svg-entities.svg", svg_entities(), any_no, LITTLE
    yield "svg-packed.svg", gzip.compress(svg(" " * (400 * MIB)), 9), any_no, 128 * MIB
    yield "svg-kernel.svg", svg_filter("<feConvolveMatrix order='40' kernelMatrix='" + " 1" * 1600 + "'/>"), fine, LITTLE
    yield "svg-pattern.svg", svg_pattern(), fine, LITTLE
    yield "svg-deep.svg", svg("<g>" * 200_000 + "</g>" * 200_000), any_no, 2 * LITTLE
    for brand, kind, configuration, name in [(b"avif", b"av01", AV1C, "avif"), (b"heic", b"hvc1", HVCC, "heic")]:
        yield f"{name}-sides.{name}", heif(brand, kind, configuration, 60_000, 60_000), any_no, LITTLE
        yield f"{name}-tiles.{name}", heif(brand, kind, configuration, 60_000, 60_000, tiles=60), any_no, LITTLE
        yield f"{name}-canvas.{name}", heif(brand, kind, configuration, 64, 64, tiles=1, canvas=60_000), any_no, LITTLE
    yield "jxl-sides.jxl", jxl(60_000, 60_000), any_no, LITTLE
    yield "jxl-largest-allowed.jxl", jxl(10_000, 10_000), any_no, LARGE


def check_bombs(lab):
    faults = []
    print("| bomb | bytes | whole | its peak, MiB | ms | a thumbnail | its peak | ms | while it arrives | its peak | ms |")
    print("|---|---:|---|---:|---:|---|---:|---:|---|---:|---:|")
    for name, data, outcomes, cap in bombs():
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            file.write(data)
        # Handed to the decoder, and kept while bytes arrive.
        cap += 3 * len(data)
        cells = [f"| {name} | {len(data):,} "]
        for way in WAYS:
            found = run(lab, way, path, cap)
            allowed = min(cap, 2 * LITTLE) if way == "header" else cap
            # What is shown while bytes arrive is held beside what is decoded: reserved, and four pictures at most.
            if way == "progressive":
                allowed = max(allowed, min(found["reserved"], 4 * 10_000 * 10_000 * 4) + LITTLE + 3 * len(data))
            right = {""} | outcomes if way in ("header", "progressive", "thumbnail") else outcomes
            if found["error"] not in right:
                faults.append(f"{name}, {way}: {found['error'] or 'decoded'}; right is one of {sorted(right)}")
            if found["peak"] > allowed:
                faults.append(f"{name}, {way}: {found['peak'] / MIB:.0f} MiB; the bound is {allowed / MIB:.0f}")
            if way != "header":
                cells.append(f"| {found['error'] or 'decoded'} | {found['peak'] / MIB:.0f} | {found['cpu_ms']:.0f} ")
        print("".join(cells) + "|", flush=True)
        os.remove(path)
    return faults


# Memory against the budget

def drawn(width, height):
    """Something like a photograph: waves and a little noise."""
    random.seed(7)
    wave = bytes(int(127 + 120 * ((n * n // 700) % 255 - 127) / 127) & 255 for n in range(width * 3))
    rows = []
    for y in range(height):
        noise = random.randbytes(width * 3)
        shift = (y * 5) % (width * 3)
        line = wave[shift:] + wave[:shift]
        rows.append(b"\0" + (int.from_bytes(line, "big") ^ (int.from_bytes(noise, "big") & int.from_bytes(b"\x07" * (width * 3), "big"))).to_bytes(width * 3, "big"))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"".join(rows), 1)) + chunk(b"IEND", b"")


def check_table(lab, photo):
    gannet = os.path.join(os.path.dirname(lab), "gannet")
    faults = []
    source = os.path.join(folder, "source.png")
    if photo:
        subprocess.run([gannet, "convert", photo, source], check=True, capture_output=True)
    else:
        with open(source, "wb") as file:
            file.write(drawn(4000, 3000))
    cases = [
        ("jpeg", "JPEG", []), ("jpeg", "JPEG, progressive", None), ("png", "PNG", []), ("gif", "GIF", []),
        ("webp", "WebP", []), ("webp", "WebP, lossless", ["--quality", "100"]), ("avif", "AVIF", []), ("heic", "HEIC", []),
        ("jxl", "JPEG XL", []), ("tiff", "TIFF", []), ("bmp", "BMP", []), ("qoi", "QOI", []), ("pnm", "PNM", []),
    ]
    print("| 12 megapixels | bytes of the file | whole: reserved | taken | thumbnail: reserved | taken | while it arrives: reserved | taken |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for format, title, options in cases:
        path = os.path.join(folder, "case." + format)
        command = [gannet, "convert", "--format", format, *(options or []), source, path]
        made = subprocess.run(command, capture_output=True, text=True)
        if options is None:
            # The command does not write them; libjpeg-turbo's program does.
            if not shutil.which("jpegtran"):
                continue
            made = subprocess.run(["jpegtran", "-progressive", "-outfile", path + ".jpg", path], capture_output=True, text=True)
            os.replace(path + ".jpg", path)
        if made.returncode != 0:
            print(f"| {title} | not in this build: {made.stderr.strip()[:60]} | | | | | | |")
            continue
        cells = [f"| {title} | {os.path.getsize(path):,} "]
        for way in ("whole", "thumbnail", "progressive"):
            found = run(lab, way, path, 0)
            cells.append(f"| {found['reserved'] / MIB:.1f} | {found['peak'] / MIB:.1f} ")
            # The bytes themselves, the libraries' tables and threads, and memory in steps of 2 MiB are not reserved.
            if found["error"] or found["peak"] > found["reserved"] + 3 * found["encoded"] + 24 * MIB:
                faults.append(f"{title}, {way}: {found['error'] or ''} {found['peak'] / MIB:.1f} MiB taken, {found['reserved'] / MIB:.1f} reserved")
        print("".join(cells) + "|", flush=True)
        os.remove(path)
    return faults


if len(sys.argv) < 3 or sys.argv[1] not in ("bombs", "table"):
    sys.exit(__doc__)
with tempfile.TemporaryDirectory() as folder:
    if sys.argv[1] == "bombs":
        faults = check_bombs(sys.argv[2])
    else:
        faults = check_table(sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None)
for fault in faults:
    print(fault, file=sys.stderr)
sys.exit(1 if faults else 0)
