#if GTK
    import CGTK
    import CGannetShims
    public import GannetCore
    import GannetImages

    /// A GdkTexture over the pixels of a ``Bitmap``, without a copy: the pixels live until GTK releases them.
    public final class GTKTexture: @unchecked Sendable {
        // Unchecked: GdkTexture is immutable, and GObject counts references atomically.
        /// The GdkTexture. Add a reference to keep it longer than this object.
        public let raw: UnsafeMutableRawPointer

        /// Costs the same for every size, but for images in high range, which become sRGB. Any thread.
        public convenience init(_ bitmap: Bitmap) {
            self.init(bitmap, part: PixelRect(x: 0, y: 0, width: bitmap.width, height: bitmap.height))
        }

        /// A texture of a rectangle inside the bitmap. `keepsLight`: high range stays, if this GTK has colour states.
        init(_ bitmap: Bitmap, part: PixelRect, keepsLight: Bool = false) {
            let content = TextureContent(bitmap, part: part, keepsLight: keepsLight && gannet_gtk_has_color_states())
            let make = content.isBright ? gannet_gtk_pq_texture_new : gannet_gtk_texture_new
            let (width, height) = (Int32(content.part.width), Int32(content.part.height))
            raw = content.withPixels { first, count, bytesPerRow in
                // GLib ends the process where memory runs out.
                make(
                    first, count, width, height, bytesPerRow, content.format, Handed.retain(PixelOwner(content.bitmap)),
                    Handed.release)!
            }
        }

        /// A copy without alpha, for windows that GTK paints on the CPU. On each paint, GTK 4.8 converts four channels through
        /// floating point (6 ms a megapixel), and three in 0.7 ms. Nil: the image is not opaque, or memory ran out. Costs about
        /// 1 ms a megapixel.
        init?(packing bitmap: Bitmap) {
            let (width, height) = (bitmap.width, bitmap.height)
            guard bitmap.layout.alpha == .opaque, bitmap.layout.format == .rgba8,
                let memory = g_try_malloc(gsize(width * height * 3))
            else { return nil }
            bitmap.withUnsafeRows { base, stride in
                var to = memory
                for y in 0..<height {
                    var from = UnsafeRawPointer(base + y * stride)
                    for _ in 0..<width {
                        let pixel = from.loadUnaligned(as: UInt32.self).littleEndian
                        to.storeBytes(of: UInt16(truncatingIfNeeded: pixel).littleEndian, as: UInt16.self)
                        to.storeBytes(of: UInt8(truncatingIfNeeded: pixel >> 16), toByteOffset: 2, as: UInt8.self)
                        from += 4
                        to += 3
                    }
                }
            }
            let bytes = g_bytes_new_take(memory, gsize(width * height * 3))
            defer { g_bytes_unref(bytes) }
            guard let texture = gdk_memory_texture_new(Int32(width), Int32(height), GDK_MEMORY_R8G8B8, bytes, gsize(width * 3))
            else { return nil }
            raw = UnsafeMutableRawPointer(texture)
        }

        deinit { g_object_unref(raw) }

        /// The texture says that its numbers are PQ.
        var isInHighRange: Bool { gannet_gtk_is_pq(raw) }

        var texture: OpaquePointer { OpaquePointer(raw) }
    }

    /// Keeps the pixels while GTK uses them.
    private final class PixelOwner {
        let bitmap: Bitmap
        init(_ bitmap: Bitmap) { self.bitmap = bitmap }
    }

    extension Bitmap {
        /// For `gtk_picture_set_paintable` and similar functions.
        public func gdkTexture() -> GTKTexture { GTKTexture(self) }
    }

    extension DecodedImage {
        /// Shows an animation's first frame.
        public func gdkTexture() -> GTKTexture { GTKTexture(bitmap) }
    }
#endif
