"""What the names of imgproxy's golden tests ask for."""
import collections, re

# A file below imgproxy's testdata, options, the format of the answer. `linear`: averages light. `watermark`: another such file.
Request = collections.namedtuple("Request", "source options format linear watermark", defaults=[False, None])
RESIZING = {"Fit": "fit", "Fill": "fill", "FillDown": "fill-down"}


def option(pattern, name, form):
    """`form` with the groups of `pattern`, as a list; none where the name has no such part."""
    match = re.search(pattern, name)
    return [form.format(*(f"{float(part):g}" if re.fullmatch(r"-?\d+\.\d+", part) else part for part in match.groups()))] if match else []


def dpr(name): return option(r"_dpr_([\d.]+)", name, "dpr:{}")


def placed(name, start):
    """An option that ends with a gravity and its offsets."""
    gravity = option(r"gravity_([a-z]+)", name, "{}") or ["ce"]
    return ":".join([start, *gravity, *option(r"_offset_(-?[\d.]+)_(-?[\d.]+)", name, "{}:{}")])


def crop(test, name):
    if test == "TestCrop": return Request("geometry.png", [placed(name, option(r"crop_(\d+)x(\d+)", name, "c:{}:{}")[0]), *dpr(name)], "png")
    return Request("geometry.png", [*option(r"_(\d+)x(\d+)", name, "rs:fill:{}:{}"), placed(name, "g"), *dpr(name)], "png")


def extend(test, name):
    size = option(r"_(\d+)x(\d+)", name, "s:{}:{}")
    return Request("geometry.png", [*size, placed(name, "ex:1" if test == "TestExtend" else "exar:1"), *dpr(name)], "png")


def padding(_, name):
    return Request("geometry.png", [*option(r"dpr_([\d.]+)", name, "dpr:{}"), *option(r"pad_(\d+)_(\d+)_(\d+)_(\d+)", name, "pd:{}:{}:{}:{}"), "bg:f00", "el:1"], "png")


def processing(test, name):
    if test != "TestResultSizeLimit":
        kind, extra = re.fullmatch(r"TestResizeTo(FillDown|Fill|Fit)(.*)", test).groups()
        added = {"": [], "Enlarge": ["el:1"], "Extend": ["ex:1"], "ExtendAR": ["exar:1"]}[extra]
        return Request("geometry.png", [*option(r"(\d+)x(\d+)", name, f"rs:{RESIZING[kind]}:{{}}:{{}}"), *added], "png")
    options = [*option(r"^([a-z-]+):(\d+)x(\d+)", name, "rs:{}:{}:{}"), *option(r"limit:(\d+)", name, "mrd:{}"), *option(r"_rotate:(\d+)", name, "rot:{}")]
    options += [*option(r"_padding:(\d+)x(\d+)x(\d+)x(\d+)", name, "pd:{}:{}:{}:{}")]
    return Request("geometry.png", options + [text for word, text in [("_en:", "el:1"), ("_ex:", "ex:1"), ("_exAR:", "exar:1")] if word in name], "png")


def rotate(_, name):
    image, angle, across, down, upright = re.fullmatch(r"img-(\d)_rotate-(\d+)_flip-(\w+)_(\w+)_ar-(\w+)", name).groups()
    options = [f"rot:{angle}"] if angle != "0" else []
    if "true" in (across, down): options.append(f"fl:{int(across == 'true')}:{int(down == 'true')}")
    return Request(f"orientation-{image}.png", options + ([] if upright == "true" else ["ar:0"]), "png")


def trim(test, name):
    threshold = re.search(r"threshold_(\d+)", name)[1]
    color = (re.search(r"color_#(\w+)", name) or ["", ""])[1]
    flags = f":{int('equalHor' in name)}:{int('equalVer' in name)}" if "equal" in name else ""
    return Request({"TestThreshold": "trim1.png", "TestColor": "trim2.png", "TestAlpha": "trim3.png"}[test], [f"t:{threshold}:{color}{flags}".rstrip(":")], "png")


def filters(_, name):
    return Request("test-images/png/png.png", [*option(r"blur_([\d.]+)", name, "bl:{}"), *option(r"sharpen_([\d.]+)", name, "sh:{}"), *option(r"pixelate_(\d+)", name, "pix:{}")], "png")


def watermark(test, name):
    where, opacity = re.match(r"([a-z]+)_opacity_([\d.]+)", name).groups()
    x, y = (re.findall(r"_offset_(-?[\d.]+)_(-?[\d.]+)", name) or [("0", "0")])[0]
    scale = (re.findall(r"_scale_([\d.]+)", name) or ["0"])[0]
    options = [f"wm:{opacity}:{where}:{x}:{y}:{scale}", *dpr(name)]
    if test == "TestWatermark": return Request("test-images/bmp/24-bpp.bmp", options, "png", watermark="geometry.png")
    return Request("test-images/gif/gif.gif", [*options, "da:0", "maf:100"], "gif", watermark="geometry.png")


def depth(name): return f"test-images/png/{name}.png"


def colorspace(test, name):
    options = ["rs:fill:100:100", "el:1"]
    if test == "TestPreserveHDROptionOverride": return Request(depth("16-bpp"), [*options, f"ph:{int(name.startswith('option-true'))}"], "png")
    if test == "TestWatermarkColorspace":
        source, mark = re.fullmatch(r"(.+)-wm-(.+)-\w+", name).groups()
        return Request(depth(source), [*options, "ph:1", "wm:0.5:ce"], "png", watermark=depth(mark))
    base, kind, jpeg = re.match(r"(.+?)-(png|tiff)(-jpeg)?-", name).groups()
    if test != "TestDownscaleHDR": options.append("ph:1")
    return Request(f"test-images/{kind}/{base}.{kind}", options, "jpeg" if jpeg else "png", linear=test == "TestLinearColorspace")


def flatten(_, name):
    options = ["rs:fill:300:300", "el:1", "pd:100", "ph:1"]
    options += {"red": ["bg:255:0:0"], "gray": ["bg:127:127:127"], "none": []}[re.search(r"-(red|gray|none)-", name)[1]]
    source = "test-images/bmp/32-bpp-with-alpha.bmp" if name.startswith("32") else depth(re.match(r"(.+?)-(red|gray)-", name)[1])
    return Request(source, options, "jpeg" if name.endswith("jpeg") else "png")


SUITES = {
    "TestApplyFilters": filters, "TestColorspace": colorspace, "TestCrop": crop, "TestExtend": extend, "TestFlatten": flatten, "TestPadding": padding,
    "TestProcessing": processing, "TestRotateAndFlip": rotate, "TestTrim": trim, "TestWatermark": watermark,
}
FOLDERS = {"heic": "heif", "jpeg": "jpg"}


def request(parts):
    """Of a hash's path below testdata/test-hashes, without its ending."""
    suite, test, *names = parts
    if suite == "TestMatrix":
        source, target, file = names
        return Request(f"test-images/{FOLDERS.get(source, source)}/{file}", ["da:0", "maf:999"] if target in ("gif", "webp") else [], target)
    return SUITES[suite](test, names[0])
