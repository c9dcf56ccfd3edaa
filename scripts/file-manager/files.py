#!/usr/bin/env python3
"""Two files that no program of Debian writes: a raw file of a camera (DNG 1.4) of a PPM, and a Lottie animation as Telegram has them.

    files.py IMAGE.ppm FOLDER
"""
import gzip, json, pathlib, re, struct, sys


def raw(ppm):
    """The sensor of this image: one colour at each place (RGGB), 14 bits, linear, without compression."""
    head = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", ppm)
    width, height, pixels = int(head[1]) & ~1, int(head[2]) & ~1, memoryview(ppm)[head.end():]
    stride = int(head[1]) * 3
    light = [round(((value / 255 + 0.055) / 1.055) ** 2.4 * 16383) if value > 10 else round(value / 255 / 12.92 * 16383) for value in range(256)]
    rows = []
    for y in range(height):
        row = pixels[y * stride:(y + 1) * stride]
        # Red and green in even rows, green and blue in odd ones.
        channels = (0, 1) if y % 2 == 0 else (1, 2)
        rows.append(struct.pack(f"<{width}H", *(light[row[x * 3 + channels[x % 2]]] for x in range(width))))
    data = b"".join(rows)
    # Type 3 is a short, 4 a long, 1 a byte, 2 text, 5 and 10 are fractions. The matrix leads from XYZ to linear sRGB (IEC 61966-2-1).
    matrix = [32406, -15372, -4986, -9689, 18758, 415, 557, -2040, 10570]
    fields = [
        (254, 4, [0]), (256, 4, [width]), (257, 4, [height]), (258, 3, [16]), (259, 3, [1]), (262, 3, [32803]), (271, 2, b"Gannet\0"),
        (272, 2, b"Demo\0"), (273, 4, [None]), (274, 3, [1]), (277, 3, [1]), (278, 4, [height]), (279, 4, [len(data)]), (33421, 3, [2, 2]),
        (33422, 1, bytes([0, 1, 1, 2])), (50706, 1, bytes([1, 4, 0, 0])), (50708, 2, b"Gannet Demo\0"), (50714, 3, [0]), (50717, 3, [16383]),
        (50721, 10, [number for value in matrix for number in (value, 10000)]), (50728, 5, [1, 1] * 3), (50778, 3, [21]),
    ]
    place = 8 + 2 + 12 * len(fields) + 4
    directory, beyond = [], b""
    for tag, kind, value in fields:
        size = {1: "B", 2: "B", 3: "H", 4: "I", 5: "I", 10: "i"}[kind]
        if value == [None]: value = [0]
        packed = bytes(value) if isinstance(value, bytes) else struct.pack(f"<{len(value)}{size}", *value)
        count = len(value) // (2 if kind in (5, 10) else 1)
        directory.append([tag, kind, count, packed])
    for entry in directory:
        if len(entry[3]) > 4:
            offset = place + len(beyond)
            beyond += entry[3] + b"\0" * (len(entry[3]) % 2)
            entry[3] = struct.pack("<I", offset)
    for entry in directory:
        if entry[0] == 273: entry[3] = struct.pack("<I", place + len(beyond))
    table = b"".join(struct.pack("<HHI", *entry[:3]) + entry[3].ljust(4, b"\0") for entry in directory)
    return struct.pack("<2sHIH", b"II", 42, 8, len(fields)) + table + bytes(4) + beyond + data


def animation():
    def still(value): return {"a": 0, "k": value}
    place = {"ty": "tr", "p": still([0, 0]), "a": still([0, 0]), "s": still([100, 100]), "r": still(0), "o": still(100)}
    def shape(colour, size, x, y):
        drawn = [{"ty": "el", "p": still([x, y]), "s": still([size, size])}, {"ty": "fl", "c": still(colour + [1]), "o": still(100), "r": 1}, place]
        return {"ty": "gr", "it": drawn}
    shapes = [shape([0.99, 0.75, 0.18], 90, 190, 170), shape([0.99, 0.75, 0.18], 90, 322, 170), shape([0.18, 0.45, 0.85], 330, 256, 270)]
    around = {"o": still(100), "r": still(0), "p": still([0, 0, 0]), "a": still([0, 0, 0]), "s": still([100, 100, 100])}
    layer = {"ty": 4, "ind": 1, "ip": 0, "op": 60, "st": 0, "sr": 1, "ks": around, "shapes": shapes}
    return gzip.compress(json.dumps({"tgs": 1, "v": "5.5.2", "fr": 30, "ip": 0, "op": 60, "w": 512, "h": 512, "layers": [layer]}).encode(), mtime=0)


folder = pathlib.Path(sys.argv[2])
(folder / "raw.dng").write_bytes(raw(pathlib.Path(sys.argv[1]).read_bytes()))
(folder / "sticker.tgs").write_bytes(animation())
