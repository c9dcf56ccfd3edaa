"""The images that imgproxy's golden tests expect, made anew with libvips by imgproxy's rules; the tests' hashes say whether they are right."""
import pyvips

EDGES = {"ce": (0.5, 0.5), "no": (0.5, 0), "so": (0.5, 1), "ea": (1, 0.5), "we": (0, 0.5), "noea": (1, 0), "nowe": (0, 0), "soea": (1, 1), "sowe": (0, 1)}


def whole(value): return int(value + 0.5)
def even(value): return round(value)


def even_middle(room): return even((room + 1) / 2)
def lower_middle(room): return room // 2
def upper_middle(room): return (room + 1) // 2


def place(gravity, x, y, inner, outer, ratio, outside=False, middle=even_middle):
    """The upper left corner."""
    def start(edge, offset, small, large):
        shift = even(offset * ratio if abs(offset) >= 1 else offset * large)
        found = {0: shift, 1: large - small - shift}.get(edge, middle(large - small) + shift)
        return max(1 - small, min(found, large - 1)) if outside else max(0, min(found, large - small))
    return tuple(start(edge, offset, small, large) for edge, offset, small, large in zip(EDGES[gravity], (x, y), inner, outer))


def cropped(image, width, height, gravity, ratio, middle=even_middle):
    width, height = min(width or image.width, image.width), min(height or image.height, image.height)
    return image.crop(*place(*gravity, (width, height), (image.width, image.height), ratio, middle=middle), width, height)


def embedded(image, x, y, width, height): return (image if image.hasalpha() else image.addalpha()).embed(x, y, width, height, extend="black")


def extended(image, width, height, gravity, ratio):
    if width <= image.width and height <= image.height: return image
    width, height = width or image.width, height or image.height
    return embedded(image, *place(*gravity, (image.width, image.height), (width, height), ratio), width, height)


def resized(image, x, y):
    if x == 1 and y == 1: return image
    if not image.hasalpha(): return image.resize(x, vscale=y)
    return image.premultiply().cast(image.format).resize(x, vscale=y).unpremultiply().cast(image.format)


class Sizes:
    """The arithmetic of a request for a source of this size."""

    def __init__(self, options, width, height):
        self.options, self.source, self.ratio = options, (width, height), options.dpr
        shrinks = [side / wanted if wanted else 1 for side, wanted in zip(self.source, options.box)]
        if options.box != (0, 0):
            if not options.box[0]: shrinks[0] = shrinks[1]
            elif not options.box[1]: shrinks[1] = shrinks[0]
            else: shrinks = [(max if options.kind == "fit" else min)(shrinks)] * 2
        if not options.enlarge:
            least = min(shrinks)
            if least < 1:
                shrinks = [shrink / least for shrink in shrinks]
                if not options.extend: self.ratio /= least
            self.ratio = min(self.ratio, *shrinks)
        self.scale = [1 / min(shrink / self.ratio, side) for shrink, side in zip(shrinks, self.source)]
        self.set()
        if options.limit and (longest := max(self.output())) > options.limit:
            self.scale = [max(scale * options.limit / longest, 1 / side) for scale, side in zip(self.scale, self.source)]
            self.ratio *= options.limit / longest
            self.set()

    def set(self):
        self.target = tuple(whole(side * self.ratio) for side in self.options.box)
        self.scaled = tuple(whole(side * scale) for side, scale in zip(self.source, self.scale))
        self.kept = self.target
        if self.options.kind == "fill-down" and not self.options.enlarge and all(self.target):
            lacks = [target / scaled for target, scaled in zip(self.target, self.scaled)]
            if lacks[0] > lacks[1] and lacks[0] > 1: self.kept = self.scaled[0], whole(self.scaled[0] * self.target[1] / self.target[0])
            elif lacks[1] > lacks[0] and lacks[1] > 1: self.kept = whole(self.scaled[1] * self.target[0] / self.target[1]), self.scaled[1]
        self.around = (0, 0)
        if self.options.extend_ratio and all(self.target):
            inner = self.inner()
            x, y = (target / side for target, side in zip(self.target, inner))
            if y > x: self.around = inner[0], whole(inner[0] * self.target[1] / self.target[0])
            elif x > y: self.around = whole(inner[1] * self.target[0] / self.target[1]), inner[1]

    def inner(self): return tuple(min(scaled, kept or scaled) for scaled, kept in zip(self.scaled, self.kept))
    def padding(self): return [even(side * self.ratio) for side in self.options.padding]

    def output(self):
        inner = self.inner()
        if self.options.extend: inner = tuple(map(max, inner, self.target))
        elif self.options.extend_ratio: inner = tuple(map(max, inner, self.around))
        top, right, bottom, left = self.padding()
        return inner[0] + left + right, inner[1] + top + bottom


class Options:
    """Of an address, as far as golden tests have them."""
    box, kind, enlarge, limit, dpr, rotate = (0, 0), "fit", False, 0, 1.0, 0
    crop, gravity, extend, extend_ratio, padding, background, mark = None, ("ce", 0, 0), None, None, (0, 0, 0, 0), None, None
    blur = sharpen = pixelate = 0
    deep = False

    def __init__(self, texts):
        for text in texts:
            name, *words = text.split(":")
            numbers = [float(word) if word.replace(".", "", 1).lstrip("-").isdigit() else word for word in words]
            gravity = lambda start: tuple(numbers[start:] + [0, 0])[:3] if len(numbers) > start else ("ce", 0, 0)
            if name == "rs": self.kind, self.box = words[0], (int(words[1]), int(words[2]))
            elif name == "s": self.box = int(words[0]), int(words[1])
            elif name == "c": self.crop = (int(words[0]), int(words[1]), gravity(2))
            elif name == "g": self.gravity = gravity(0)
            elif name == "ex": self.extend = gravity(1)
            elif name == "exar": self.extend_ratio = gravity(1)
            elif name == "pd": self.padding = tuple(map(int, words)) * (4 // len(words))
            elif name == "bg": self.background = [int(word) for word in words] if len(words) == 3 else [int(digit, 16) * 17 for digit in words[0]]
            elif name == "wm": self.mark = numbers
            else: setattr(self, {"el": "enlarge", "mrd": "limit", "dpr": "dpr", "rot": "rotate", "bl": "blur", "sh": "sharpen", "pix": "pixelate", "ph": "deep"}.get(name, "other"), numbers[0])


def marked(image, mark, options, ratio):
    opacity, where, x, y, scale = (options.mark + [0, 0, 0])[:5]
    width, height = image.width, image.height
    if not opacity: return image
    if scale:
        factor = min(max(even(width * scale), 1) / mark.width, max(even(height * scale), 1) / mark.height)
        mark = resized(mark, factor, factor)
    if where == "re":
        pads = [even(offset * ratio if abs(offset) >= 1 else offset * side) for offset, side in ((x, width), (y, height))]
        if any(pads): mark = embedded(mark, pads[0] // 2, pads[1] // 2, mark.width + pads[0], mark.height + pads[1])
        across, down = ((-(-side // small)) | 1 for side, small in ((width, mark.width), (height, mark.height)))
        mark = mark.replicate(across, down)
        mark, corner = mark.crop((mark.width - width) // 2, (mark.height - height) // 2, width, height), (0, 0)
    else: corner = place(where, x, y, (mark.width, mark.height), (width, height), ratio, outside=True)
    if not mark.hasalpha(): mark = mark.addalpha()
    if opacity < 1: mark = mark[:mark.bands - 1].bandjoin(mark[mark.bands - 1] * opacity)
    space = image.interpretation
    if space in ("b-w", "grey16") and mark.interpretation not in ("b-w", "grey16"): space = "srgb" if space == "b-w" else "rgb16"
    mixed = image.composite2(mark, "over", x=corner[0], y=corner[1], compositing_space=space).cast(image.format)
    return mixed if image.hasalpha() else mixed[:mixed.bands - 1]


def made(source, texts, keeps_alpha=True, mark=None, middle=even_middle):
    """The image of an address's options. `middle`: of what the box keeps."""
    options, image = Options(texts), source
    if not options.deep: image = image.colourspace({"rgb16": "srgb", "grey16": "b-w"}.get(image.interpretation, image.interpretation))
    if options.crop: image = cropped(image, *options.crop, 1)
    turned = options.rotate in (90, 270)
    sizes = Sizes(options, *((image.height, image.width) if turned else (image.width, image.height)))
    image = resized(image, *(reversed(sizes.scale) if turned else sizes.scale))
    if options.rotate: image = image.rot(f"d{int(options.rotate)}")
    if any(sizes.kept): image = cropped(image, *sizes.kept, options.gravity, sizes.ratio, middle)
    image = filtered(image, options)
    if options.extend: image = extended(image, *sizes.target, options.extend, sizes.ratio)
    if options.extend_ratio and all(sizes.around): image = extended(image, *sizes.around, options.extend_ratio, sizes.ratio)
    if any(options.padding):
        top, right, bottom, left = sizes.padding()
        image = embedded(image, left, top, image.width + left + right, image.height + top + bottom)
    if image.hasalpha() and (options.background or not keeps_alpha):
        color = options.background or [255, 255, 255]
        if len(set(color)) > 1 and image.interpretation in ("b-w", "grey16"): image = image.colourspace("srgb" if image.interpretation == "b-w" else "rgb16")
        image = image.flatten(background=[value * (257 if image.format == "ushort" else 1) for value in color][:1 if image.bands < 3 else 3])
    return marked(image, mark, options, sizes.ratio) if options.mark else image


def enlarges(source, texts): return max(Sizes(Options(texts), source.width, source.height).scale) > 1


def filtered(image, options):
    if not (options.blur or options.sharpen or options.pixelate): return image
    space, format = image.interpretation, image.format
    if options.blur: image = image.gaussblur(options.blur)
    if options.sharpen: image = image.sharpen(sigma=options.sharpen)
    if options.pixelate:
        side = int(options.pixelate)
        width, height = image.width, image.height
        image = image.embed(0, 0, -(-width // side) * side, -(-height // side) * side, extend="mirror").shrink(side, side).zoom(side, side).crop(0, 0, width, height)
    return image.colourspace(space).cast(format)
