"""What became of the golden tests, on the terminal and as a page."""
import collections, re

VERDICTS = {
    "passed": "the same pixels, or as near as the test asks", "near": "the same image by another resampler", "explained": "differs for a reason below",
    "no source": "its file is not in IMAGES", "refused": "no image", "unread": "no image that libvips reads", "differs": "differs",
}
# A test that has none of these is a fault.
REASONS = {
    "grey": "A grey image has three channels in JPEG XL, TIFF, HEIC and ICO (JPEG and PNG have one), and a mark on it is in colour",
    "enlarged": "libvips enlarges half a pixel to the upper left; here pixels lie where Pillow puts them, and its bicubic is 15 of 255 away at most",
    "filled": "The middle that `fill` keeps is found while decoding, and rounded down; imgproxy's lies a pixel further for three of four sizes",
    "factor": "An image is scaled to the whole size; libvips keeps the factor of a size that is none, and cuts",
    "resampled": "An icon has 256 pixels at most, for which the image is made smaller by another resampler",
    "filters": "`blur` has the whole length of the Gaussian, which libvips cuts at a fifth of its height; `sharpen` is of every channel, and not of lightness with a threshold",
    "depth": "16 bits are rounded to 8; libvips takes the upper ones",
    "light": "The PNG says that its numbers are light (`gAMA` of 1), which is converted to sRGB; imgproxy shows the numbers",
    "logluv": "A TIFF in LogLuv has the colours that libtiff makes of it; libvips converts its XYZ",
    "linear": "`--linear-light` averages light for all of the scaling",
    "lossy": "The versions of libjpeg-turbo, libwebp, libheif and libjxl: what Debian's libvips writes of the same pixels at the same quality is within 0.5 of the answer",
    "encoding": "The versions of libjpeg-turbo; the same image passes, or is near, as PNG",
    "palette": "The palette and the dithering of GIF",
    "alpha": "Colours of nearly clear pixels: pixels are premultiplied with 8 bits",
    "565": "Five bits become 0 … 255; imgproxy's reader of BMP shifts them, so that white is 248",
    "icons": "Of an icon's images of equal size the first counts, and the masks of palettes are used; imgproxy takes the last, and no masks",
    "vector": "A drawing of 406.25 × 206.25 has 407 × 207 pixels, so that nothing is cut off; libvips rounds",
    "opacity": "A mark of half the opacity over clear pixels has 128 of 255, and libvips 127: opaque in GIF, and clear there",
    "rounding": "Mixing rounds each channel to the nearest; libvips cuts, which is one step at most",
    "truncated": "The file ends in the middle of its rows. It is refused, and not shown in part",
}


def reason(result, others):
    """The key of a reason for a test that differs. `others`: all results by name."""
    name, format = result.name, result.request.format
    if result.suite != "TestMatrix":
        return next((key for key, fits in [
            ("logluv", "32-bpp-linear" in name), ("light", "-linear" in name), ("linear", result.request.linear), ("filled", result.is_middle), ("enlarged", result.is_enlarged), ("factor", re.search(r"fill.*00x1?500?:.*rotate", name)),
            ("filters", result.suite == "TestApplyFilters"), ("opacity", "Animation" in name), ("rounding", result.difference == 1), ("grey", result.channels),
            ("depth", ("16-bpp" in name or "option-false" in name) and format == "png"), ("encoding", format == "jpeg"),
        ] if fits), None)
    file = name.rsplit("/", 1)[1]
    plain = others.get(lossless(name))
    return next((key for key, fits in [
        ("truncated", file == "4-bpp-grayscale.tiff" and result.verdict == "refused"), ("icons", file in ("multi-png.ico", "single-bmp.ico")), ("grey", result.channels), ("logluv", file == "32-bpp-linear.tiff"),
        ("565", file == "16-bpp.bmp"), ("vector", file == "svg.svg"),
        # Not where the same pixels do not pass either, unless that has a reason of its own.
        ("palette", format == "gif" and plain.verdict in ("passed", "explained")), ("lossy", result.is_encoder),
        ("resampled", result.is_shrunk), ("depth", file == "16-bpp.jxl"), ("alpha", "alpha" in file or file.endswith((".ico", ".gif"))),
    ] if fits), None)


def lossless(name):
    """The test that has the same source as BMP."""
    return re.sub(r"/[a-z]+/([^/]+)$", r"/bmp/\1", name)


def explain(results):
    """A format without loss comes first: others refer to it."""
    others = {result.name: result for result in results}
    for result in sorted(results, key=lambda result: result.request.format != "bmp"):
        if result.verdict in ("differs", "refused") and (key := reason(result, others)): result.verdict, result.note = "explained", key


def text(value): return "" if value is None else f"{value:.3g}"


def line(result):
    return [result.verdict, text(result.distance), text(result.difference), result.name, "/".join([*result.request.options, result.request.format]), result.note]


def rows(results):
    suites = collections.defaultdict(collections.Counter)
    for result in results: suites[result.suite][result.verdict] += 1
    suites["all"] = sum(suites.values(), collections.Counter())
    used = [verdict for verdict in VERDICTS if suites["all"][verdict]]
    return ["suite", "tests", *used], [[suite, counts.total(), *(counts[verdict] for verdict in used)] for suite, counts in suites.items()]


def say(results, only):
    for result in results:
        if only or result.verdict in ("differs", "refused", "unread"): print(*line(result), sep="\t")
    head, body = rows(results)
    for row in [head, *body]: print(*row, sep="\t")


def table(head, body): return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in [head, ["---"] * len(head), *body])


def write(results, page):
    """Between the page's marks; every test to a file beside it."""
    counts = collections.Counter(result.note for result in results if result.verdict == "explained")
    parts = {"golden": table(*rows(results)), "reasons": table(["reason", "tests"], [[sentence, counts[key]] for key, sentence in REASONS.items() if counts[key]])}
    content = page.read_text()
    for name, lines in parts.items():
        content = re.sub(rf"(<!-- {name}: [^>]*-->\n).*?(<!-- end of {name} -->)", lambda found: found[1] + lines + "\n" + found[2], content, flags=re.S)
    page.write_text(content)
    head = ["verdict", "distance", "difference", "test", "asked for", "note"]
    page.with_suffix(".tsv").write_text("".join("\t".join(row) + "\n" for row in [head, *map(line, results)]))
