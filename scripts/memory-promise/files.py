"""The sources of memory-promise.sh, made here: photographs of 1 to 50 megapixels in JPEG, PNG and WebP, animations in GIF and WebP, and one image that can never
fit into a small limit."""
import random, struct, subprocess, zlib


def chunk(name, data): return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def photo(path, width, height, seed):
    """A PNG with slopes and a little noise, as photographs have, so that it is neither empty nor beyond packing."""
    numbers = random.Random(seed)
    noise = [int.from_bytes(bytes(numbers.choices([0] * 30 + [1, 2], k=width * 3)), "big") for _ in range(8)]
    slope = bytes((x * (channel + 2) // 24) & 0xFF for x in range(width) for channel in range(3))
    packer = zlib.compressobj(1)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)))
        for y in range(height):
            shift = 3 * (y // 4 * 7 % width)
            row = (int.from_bytes(slope[shift:] + slope[:shift], "big") ^ noise[numbers.randrange(8)]).to_bytes(width * 3, "big")
            packed = packer.compress(b"\0" + row)
            if packed: file.write(chunk(b"IDAT", packed))
        file.write(chunk(b"IDAT", packer.flush()) + chunk(b"IEND", b""))


def animation(path, width, height, frames):
    """A GIF whose codes are the pixels: 8 bits a pixel, and a clear code before the table grows."""
    palette = bytes(value for index in range(256) for value in (index, index * 3 & 255, 255 - index))
    with open(path, "wb") as file:
        file.write(b"GIF89a" + struct.pack("<HHBBB", width, height, 0xF7, 0, 0) + palette + b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")
        for frame in range(frames):
            bits, count, data = 0, 0, bytearray()
            def put(code):
                nonlocal bits, count
                bits |= code << count
                count += 9
                while count >= 8:
                    data.append(bits & 255)
                    bits, count = bits >> 8, count - 8
            for place in range(width * height):
                if place % 250 == 0: put(256)
                put((place % width + place // width + frame * 5) & 255)
            put(257)
            data.append(bits & 255)
            file.write(b"!\xf9\x04\x04\x05\x00\x00\x00,\0\0\0\0" + struct.pack("<HHB", width, height, 0) + b"\x08")
            for start in range(0, len(data), 255): file.write(bytes([len(data[start:start + 255])]) + data[start:start + 255])
            file.write(b"\0")
        file.write(b";")


def never_fits(path):
    """81 megapixels of one colour in 34 bytes of WebP, whose decoder holds them all."""
    body = b"\x2f" + struct.pack("<I", 8999 | 8999 << 14 | 1 << 28) + bytes([0x88, 0x88, 0x08, 0x07, 0x10, 0x11, 0x11, 0x88, 0x88, 0xFE, 0x07, 0x00])
    data = b"WEBPVP8L" + struct.pack("<I", len(body)) + body + bytes(len(body) & 1)
    path.write_bytes(b"RIFF" + struct.pack("<I", len(data)) + data)


def make(gannet, folder):
    """Names and shares of the requests."""
    def made(name, make, *words):
        if not (folder / name).exists(): make(folder / name, *words)
    def convert(path, source, *words):
        subprocess.run([gannet, "convert", folder / source, path, *words, "--max-bytes", "200000000"], check=True, capture_output=True)
    made("large.png", photo, 8000, 6250, 1)
    for number in range(3): made(f"photo{number}.png", photo, 1600, 1200, 2 + number)
    made("move.gif", animation, 320, 240, 30)
    made("never.webp", never_fits)
    made("large.jpg", convert, "large.png", "--quality", "85")
    for number in range(3):
        made(f"photo{number}.jpg", convert, f"photo{number}.png", "--quality", "85")
        made(f"photo{number}.webp", convert, f"photo{number}.png", "--quality", "80")
    made("move.webp", convert, "move.gif")
    shares = {"large.png": 4, "large.jpg": 12, "move.gif": 12, "move.webp": 8, "never.webp": 2}
    for number in range(3): shares |= {f"photo{number}.jpg": 14, f"photo{number}.png": 4, f"photo{number}.webp": 4}
    return shares
