import GannetCore

func still(_ bitmap: Bitmap, original: PixelSize? = nil) -> DecodedImage {
    .still(bitmap, ImageMetadata(format: .png, originalSize: original ?? bitmap.size))
}
