#!/usr/bin/env python3
"""Asks the service for what imgproxy's golden tests ask imgproxy for; see golden.sh.

    run.py GANNET IMGPROXY IMAGES [--page FILE] [--only WORD] [--save FOLDER]
"""
import argparse, base64, pathlib, shutil, sys, tempfile
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import pyvips
import expected, hashes, names, report, serving

# What the tests allow: TestMatrix, and the others.
MATRIX_DISTANCE, DISTANCE = 0.5, 0.0005
# Of a channel, which nobody sees.
DIFFERENCE = 3
# imgproxy's own, so that files are compared that had as many bits.
QUALITY = {"jpeg": 80, "webp": 79, "jxl": 77, "heic": 80}


class Result:
    """`distance` of vectors where there is one, and `difference`, the largest of a channel, 0 … 255, from the image that imgproxy's test expects."""
    distance = difference = image = None
    # It has other channels; it is near the image whose middle is rounded in another way; its source is smaller; it was made smaller for its format; libvips writes
    # the same with the libraries of this system.
    channels = is_middle = is_enlarged = is_shrunk = is_encoder = False

    def __init__(self, parts, request):
        self.suite, self.name, self.request, self.verdict, self.note = parts[0], "/".join(part for part in parts if part != "test"), request, "", ""


def testdata(imgproxy, images, folder):
    """Both checkouts as imgproxy has them: copied, because a folder of sources has no links."""
    shutil.copytree(imgproxy / "testdata", folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("test-hashes"))
    shutil.copytree(images, folder / "test-images", dirs_exist_ok=True, ignore=shutil.ignore_patterns(".git", "svg-test-suite", "raw"))


def address(request):
    mark = [f"wmu:{base64.urlsafe_b64encode(f'local:///{request.watermark}'.encode()).decode()}"] if request.watermark else []
    return "/".join(["/unsafe", "fq:" + ":".join(f"{name}:{value}" for name, value in QUALITY.items()), *request.options, *mark, f"plain/local:///{request.source}@{request.format}"])


def judge(result, path, service, folder):
    kind, value = hashes.read(path)
    request = result.request
    if not (folder / request.source).is_file(): return "no source", f"`{pathlib.Path(request.source).name}` is not in IMAGES"
    answer = service.get(address(request), timeout=120)
    result.body = answer.body
    if answer.status != 200: return "refused", f"{answer.status} {answer.body.decode(errors='replace').strip()}"
    try: image = hashes.load(answer.body, request.format)
    except pyvips.Error as error: return "unread", str(error).strip().splitlines()[0]
    result.image = image
    if kind == hashes.EXACT: return judge_exact(result, image, value, folder)
    found = hashes.vector(image)
    result.distance = hashes.distance(found, value)
    if len(found) == len(value) and result.distance <= (MATRIX_DISTANCE if result.suite == "TestMatrix" else DISTANCE): return "passed", ""
    result.channels = len(found) != len(value)
    result.is_shrunk = request.format == "ico" and max(image.width, image.height) == 256
    return "near" if result.distance <= MATRIX_DISTANCE and result.suite != "TestMatrix" and not result.channels else "differs", ""


def judge_exact(result, image, value, folder):
    if hashes.exact(image) == value: return "passed", ""
    request = result.request
    load = lambda name: hashes.load((folder / name).read_bytes(), pathlib.Path(name).suffix[1:])
    source = load(request.source)
    make = lambda middle: expected.made(source, request.options, request.format != "jpeg", load(request.watermark) if request.watermark else None, middle)
    wanted = make(expected.even_middle)
    if hashes.exact(wanted) != value and request.format == "png": return "differs", "libvips makes another image than imgproxy's test has"
    if (wanted.width, wanted.height) != (image.width, image.height): return "differs", f"{image.width} × {image.height}, and not {wanted.width} × {wanted.height}"
    result.distance, result.difference = far(image, wanted)
    if result.distance <= MATRIX_DISTANCE or result.difference <= DIFFERENCE: return "near", ""
    result.is_enlarged = expected.enlarges(source, request.options)
    # The upper one where the image is turned behind it.
    result.is_middle = any(far(image, make(middle))[0] <= MATRIX_DISTANCE for middle in (expected.lower_middle, expected.upper_middle))
    return "differs", ""


def far(image, wanted):
    one, other = (each if each.hasalpha() else each.addalpha() for each in (image.colourspace("srgb"), wanted.colourspace("srgb")))
    return hashes.distance(hashes.vector(one), hashes.vector(other)), (one - other).abs().max()


def compare_encoders(results):
    """The answers in formats with loss that differ, with what the system's libvips writes of the same pixels."""
    others = {result.name: result for result in results}
    for result in results:
        quality, plain = QUALITY.get(result.request.format), others.get(report.lossless(result.name))
        if result.suite != "TestMatrix" or result.verdict != "differs" or not quality or plain is None or plain.image is None: continue
        theirs = hashes.encoded(plain.image, result.request.format, quality)
        result.is_encoder = hashes.distance(hashes.vector(result.image), hashes.vector(theirs)) <= MATRIX_DISTANCE


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gannet")
    parser.add_argument("imgproxy", type=pathlib.Path)
    parser.add_argument("images", type=pathlib.Path)
    parser.add_argument("--page", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--save", type=pathlib.Path)
    options = parser.parse_args()
    results, hashes_folder = [], options.imgproxy / "testdata/test-hashes"
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        testdata(options.imgproxy, options.images, folder)
        paths = [path for path in sorted(hashes_folder.rglob("*.hash")) if options.only in str(path)]
        for linear in (False, True):
            words = ["--source-folder", folder, "--allow-costly", "--max-side", 8192, "--timeout", 100, *(["--linear-light"] if linear else [])]
            service = serving.Service(options.gannet, serving.Sources(), *words)
            for path in paths:
                parts = path.relative_to(hashes_folder).with_suffix("").parts
                result = Result(parts, names.request(parts))
                if result.request.linear != linear: continue
                result.verdict, result.note = judge(result, path, service, folder)
                results.append(result)
                if options.save and hasattr(result, "body"):
                    options.save.mkdir(parents=True, exist_ok=True)
                    (options.save / f"{result.name.replace('/', '_')}.{result.request.format}").write_bytes(result.body)
            service.stop()
    results.sort(key=lambda result: result.name)
    compare_encoders(results)
    report.explain(results)
    report.say(results, options.only)
    if options.page: report.write(results, options.page)
    if any(result.verdict in ("differs", "refused", "unread") for result in results): sys.exit(1)


main()
