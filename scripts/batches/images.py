#!/usr/bin/env python3
"""Makes COUNT different PNG files, and sources.txt with their paths: images.py FOLDER COUNT

Each has one colour, its number, and one of 899 sizes from 65 × 65 to 95 × 93. scripts/batches/check.py knows both.
"""
import os
import struct
import sys
import zlib

folder, count = sys.argv[1], int(sys.argv[2])
os.makedirs(f"{folder}/images")


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


with open(f"{folder}/sources.txt", "w") as sources:
    for number in range(count):
        width, height = 65 + number % 31, 65 + number // 31 % 29
        rows = (b"\0" + number.to_bytes(3, "big") * width) * height
        header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
        with open(f"{folder}/images/{number:06}.png", "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))
        sources.write(f"images/{number:06}.png\n")
