"""Writes the clips of PlaybackBenchmark as GIFs for peers: python3 playback_clips.py DIR COUNT"""

import sys

from PIL import Image

SIDE, FRAMES = 128, 24


def frame(number, index):
    turn = (index + number) % FRAMES
    cx, cy = 20 + turn * 4, 20 + abs(turn - FRAMES // 2) * 7
    picture = Image.new("RGB", (SIDE, SIDE))
    pixels = []
    for y in range(SIDE):
        for x in range(SIDE):
            stripe = (x // 16 + y // 16 + number) % 4
            disc = (x - cx) ** 2 + (y - cy) ** 2 < 256
            pixels.append((250, number * 5 % 256, 40) if disc else (40 + stripe * 30, 60 + stripe * 20, 120))
    picture.putdata(pixels)
    return picture


directory, count = sys.argv[1], int(sys.argv[2])
for number in range(count):
    frames = [frame(number, index) for index in range(FRAMES)]
    frames[0].save(f"{directory}/clip-{number}.gif", save_all=True, append_images=frames[1:], duration=40, loop=0)
