import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetViews

func still(_ bitmap: Bitmap, original: PixelSize? = nil) -> DecodedImage {
    .still(bitmap, ImageMetadata(format: .png, originalSize: original ?? bitmap.size))
}
