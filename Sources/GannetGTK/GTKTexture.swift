#if GTK
    import CGTK
    import CGannetShims
    public import GannetCore

    /// A GdkTexture over the pixels of a ``Bitmap``, without a copy: the pixels live until GTK gives them back.
    public final class GTKTexture: @unchecked Sendable {
        // Unchecked: GdkTexture is immutable, and GObject counts references atomically.
        /// The GdkTexture. Add a reference of your own to keep it longer than this object.
        public let raw: UnsafeMutableRawPointer

        /// Cost: none that grows with the picture. Any thread.
        public init(_ bitmap: Bitmap) {
            let layout = bitmap.layout
            let alpha =
                switch layout.alpha {
                case .premultiplied: 0
                case .straight: 1
                case .opaque: 2
                }
            let format = Int32(alpha + (layout.format == .rgba16 ? 4 : 0))
            raw = bitmap.withUnsafeRows { base, bytesPerRow in
                gannet_gtk_texture_new(
                    base, layout.byteCount, Int32(layout.size.width), Int32(layout.size.height), bytesPerRow, format,
                    Handed.retain(PixelOwner(bitmap)), Handed.release)
            }
        }

        deinit { g_object_unref(raw) }

        var texture: OpaquePointer { OpaquePointer(raw) }
    }

    /// Keeps the pixels while GTK uses them.
    private final class PixelOwner {
        let bitmap: Bitmap
        init(_ bitmap: Bitmap) { self.bitmap = bitmap }
    }

    extension Bitmap {
        /// For `gtk_picture_set_paintable` and the like.
        public func gdkTexture() -> GTKTexture { GTKTexture(self) }
    }

    extension DecodedImage {
        /// Of an animation the first frame.
        public func gdkTexture() -> GTKTexture { GTKTexture(bitmap) }
    }
#endif
