"""The two hashes of imgproxy's tests, made with libvips as the tests make them."""
import hashlib, os, pathlib, struct, subprocess, tempfile
import numpy, pyvips

EXACT, VECTOR = 0, 1


def load(data, ending):
    # Its header alone can be read of some.
    try: return pyvips.Image.new_from_buffer(data, "").copy_memory()
    except pyvips.Error: return converted(data, ending)


def converted(data, ending):
    """What the libvips of Python cannot read: by that of the system, which has all formats."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = pathlib.Path(folder) / f"a.{ending}", pathlib.Path(folder) / "a.png"
        source.write_bytes(data)
        # Not with the variables that the other libvips has set for itself.
        run = subprocess.run(["vips", "copy", source, target], capture_output=True, text=True, env=dict(os.environ))
        if run.returncode: raise pyvips.Error(run.stderr.strip())
        return pyvips.Image.new_from_file(str(target)).copy_memory()


def encoded(image, ending, quality):
    """Written with loss by the system's libvips, and read again."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = pathlib.Path(folder) / "a.png", pathlib.Path(folder) / f"a.{ending}"
        image.write_to_file(str(source))
        background = ",background=255" if ending == "jpeg" else ""
        run = subprocess.run(["vips", "copy", source, f"{target}[Q={quality}{background}]"], capture_output=True, text=True, env=dict(os.environ))
        if run.returncode: raise pyvips.Error(run.stderr.strip())
        return load(target.read_bytes(), ending)


def exact(image):
    """SHA-256 of the pixels in RGBA."""
    image = image.colourspace("srgb")
    return hashlib.sha256((image if image.hasalpha() else image.addalpha()).write_to_memory()).digest()


def vector(image):
    """The 8 × 8 lowest frequencies of each channel of CIELAB, or of lightness alone of a grey image, at 64 × 64 pixels at most."""
    is_grey = image.interpretation in ("b-w", "grey16")
    image = image.colourspace("scrgb")
    image = image.resize(min(64 / image.width, 1), vscale=min(64 / image.height, 1), kernel="lanczos3")
    if image.hasalpha(): image = image.flatten(background=[1, 0, 1])
    image = image.colourspace("lab")
    if is_grey: image = image[0]
    pixels = image.numpy().reshape(image.height, image.width, image.bands).astype(numpy.float64)
    rows, columns = cosines(image.height), cosines(image.width)
    return numpy.concatenate([(rows @ pixels[:, :, band] @ columns.T).ravel() for band in range(image.bands)]).astype(numpy.float32)


def cosines(side):
    waves = numpy.cos(numpy.outer(numpy.arange(8), 2 * numpy.arange(side) + 1) * numpy.pi / (2 * side)) * numpy.sqrt(2 / side)
    waves[0] = 1 / numpy.sqrt(side)
    return waves


def read(path):
    """Kind and value of a test's file."""
    data = path.read_bytes()
    if data[0] == EXACT: return EXACT, data[1:33]
    return VECTOR, numpy.frombuffer(data, "<f4", struct.unpack_from("<H", data, 1)[0], 3)


def distance(one, other):
    """Of vectors of the same channels; a grey one against the lightness of one in colour."""
    most = min(len(one), len(other))
    return float(((one[:most] - other[:most]) ** 2).mean())
