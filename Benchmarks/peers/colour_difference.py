"""CIEDE2000 between two sRGB pictures (Sharma, Wu, Dalal 2005), on at most 200,000 evenly chosen pixels."""
import numpy


def lab(rgb):
    v = rgb.astype(float) / 255
    light = numpy.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)
    xyz = light @ numpy.array([[0.4124564, 0.2126729, 0.0193339], [0.3575761, 0.7151522, 0.1191920], [0.1804375, 0.0721750, 0.9503041]])
    xyz /= [0.95047, 1.0, 1.08883]
    f = numpy.where(xyz > 216 / 24389, numpy.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return 116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])


def mean(left, right):
    left, right = left.reshape(-1, 3), right.reshape(-1, 3)
    step = max(1, len(left) // 200_000)
    l1, a1, b1 = lab(left[::step])
    l2, a2, b2 = lab(right[::step])
    c = (numpy.hypot(a1, b1) + numpy.hypot(a2, b2)) / 2
    g = 0.5 * (1 - numpy.sqrt(c ** 7 / (c ** 7 + 25.0 ** 7)))
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = numpy.hypot(a1, b1), numpy.hypot(a2, b2)
    h1, h2 = numpy.degrees(numpy.arctan2(b1, a1)) % 360, numpy.degrees(numpy.arctan2(b2, a2)) % 360
    gray = c1 * c2 == 0
    dh = numpy.where(gray, 0, (h2 - h1 + 180) % 360 - 180)
    dl, dc, dH = l2 - l1, c2 - c1, 2 * numpy.sqrt(c1 * c2) * numpy.sin(numpy.radians(dh / 2))
    l, c = (l1 + l2) / 2, (c1 + c2) / 2
    h = numpy.where(gray, h1 + h2, (h1 + dh / 2) % 360)
    t = (1 - 0.17 * numpy.cos(numpy.radians(h - 30)) + 0.24 * numpy.cos(numpy.radians(2 * h)) + 0.32 * numpy.cos(numpy.radians(3 * h + 6))
         - 0.20 * numpy.cos(numpy.radians(4 * h - 63)))
    sl = 1 + 0.015 * (l - 50) ** 2 / numpy.sqrt(20 + (l - 50) ** 2)
    sc, sh = 1 + 0.045 * c, 1 + 0.015 * c * t
    rotation = (-numpy.sin(numpy.radians(60 * numpy.exp(-((h - 275) / 25) ** 2))) * 2 * numpy.sqrt(c ** 7 / (c ** 7 + 25.0 ** 7)))
    return float(numpy.mean(numpy.sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dH / sh) ** 2 + rotation * dc / sc * dH / sh)))
