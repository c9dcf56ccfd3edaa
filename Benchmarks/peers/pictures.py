#!/usr/bin/env python3
"""Seeded crops of photographs as JPEG, 0.3 to 12 megapixels: the same files for the same photographs, every time.

    peers/pictures.py PHOTOS OUT COUNT [--small | --large | --wide]     writes OUT/0.jpg …; --small: 0.3 megapixels all; --large: 1 to 12;
                                                                        --wide: 4 to 12, so that a side of 1,920 is smaller
"""
import glob, math, os, random, sys
from concurrent.futures import ProcessPoolExecutor

from PIL import Image

Image.MAX_IMAGE_PIXELS = None


def make(job):
    path, indices, out, seeds = job
    photo = Image.open(path).convert("RGB")
    for index, seed in zip(indices, seeds):
        chance = random.Random(seed)
        least = 4e6 if "--wide" in sys.argv else 1e6 if "--large" in sys.argv else 0.3e6
        pixels = 0.3e6 if "--small" in sys.argv else math.exp(chance.uniform(math.log(least), math.log(12e6)))
        ratio = chance.choice([1, 4 / 3, 3 / 2, 3 / 4, 16 / 9])
        width, height = round(math.sqrt(pixels * ratio)), round(math.sqrt(pixels / ratio))
        part = min(1, photo.width / width, photo.height / height, chance.uniform(0.4, 1) * max(photo.width / width, photo.height / height))
        cut = (int(width * part), int(height * part))
        left, top = chance.randrange(photo.width - cut[0] + 1), chance.randrange(photo.height - cut[1] + 1)
        picture = photo.resize((width, height), Image.Resampling.BICUBIC, (left, top, left + cut[0], top + cut[1]))
        picture.save(os.path.join(out, f"{index}.jpg"), quality=chance.choice([75, 85, 85, 92]), progressive=chance.random() < 0.15)


def main():
    photos, out, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    os.makedirs(out, exist_ok=True)
    if len(os.listdir(out)) >= count:
        return
    paths = []
    for path in sorted(glob.glob(os.path.join(photos, "*"))):
        try:
            with Image.open(path) as photo:
                if 0.2e6 < photo.width * photo.height < 40e6:
                    paths.append(path)
        except OSError:
            pass
    jobs = [(path, range(i, count, len(paths)), out, [1000 + n for n in range(i, count, len(paths))]) for i, path in enumerate(paths)]
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        list(pool.map(make, jobs))


if __name__ == "__main__":
    main()
