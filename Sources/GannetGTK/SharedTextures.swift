#if GTK
    import GannetCore

    /// The textures that views draw at present, by their pixels: all views of one image, in all windows, draw one texture, which GTK
    /// uploads or copies once. Holds neither textures nor pixels; whoever draws a texture keeps it.
    @GTKActor final class SharedTextures {
        static let shared = SharedTextures()

        struct Key: Hashable {
            var bitmap: ObjectIdentifier
            /// Of an image that is drawn in parts; 0: all of it.
            var part = 0
            /// A copy for windows that the processor paints.
            var isPacked = false
            /// Brighter than white.
            var isBright = false
        }

        private struct Entry {
            /// An address may be used again while a packed texture of the bitmap before it is still drawn.
            weak var bitmap: BitmapStorage?
            weak var texture: GTKTexture?

            var isAlive: Bool { bitmap != nil && texture != nil }
        }

        private var entries: [Key: Entry] = [:]
        /// Entries that end are taken out when there are as many as this.
        private var room = 64

        /// With those that have ended and were not taken out yet.
        var count: Int { entries.count }

        func texture(
            _ bitmap: Bitmap, part: Int = 0, isPacked: Bool, isBright: Bool = false, make: () -> GTKTexture
        ) -> GTKTexture {
            let key = Key(bitmap: bitmap.identity, part: part, isPacked: isPacked, isBright: isBright)
            if let entry = entries[key], entry.bitmap === bitmap.storage, let texture = entry.texture { return texture }
            if entries.count >= room {
                entries = entries.filter { $0.value.isAlive }
                room = max(entries.count * 2, 64)
            }
            let texture = make()
            entries[key] = Entry(bitmap: bitmap.storage, texture: texture)
            return texture
        }
    }
#endif
