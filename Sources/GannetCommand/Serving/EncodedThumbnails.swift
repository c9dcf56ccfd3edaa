#if CommandLine && HTTP
    import Gannet
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetPlatform
    import Synchronization

    /// The encoded bytes of thumbnails whose images are in memory, each encoded once: when the image is already there, encoding
    /// takes most of the response time.
    ///
    /// An entry lives as long as its image, and while it fits into `maximumBytes`; the least recently used entries are removed
    /// first.
    final class EncodedThumbnails: Sendable {
        struct Encoded: Sendable {
            var mimeType: String
            /// A strong entity tag, quotes included.
            var tag: String
            var bytes: [UInt8]
        }

        private struct Key: Hashable {
            var pixels: ObjectIdentifier
            var options: EncodeOptions
        }

        private struct Entry {
            /// While it lives, no other image can have its identity.
            weak var pixels: BitmapStorage?
            var encoded: Encoded
            var used: UInt64
        }

        private struct State {
            var entries: [Key: Entry] = [:]
            var bytes = 0
            var clock: UInt64 = 0
        }

        private let coders: CodersManager
        private let maximumBytes: Int
        private let state = Mutex(State())
        private let work = JobTable<Never, Encoded>()

        init(coders: CodersManager, maximumBytes: Int) {
            self.coders = coders
            self.maximumBytes = maximumBytes
        }

        /// The number of stored entries, and their bytes.
        var kept: (count: Int, bytes: Int) { state.withLock { ($0.entries.count, $0.bytes) } }

        func encode(_ image: DecodedImage, options: EncodeOptions) async throws(ImageError) -> Encoded {
            let key = Key(pixels: image.bitmap.identity, options: options)
            if let known = find(key) { return known }
            // The caller retains the image, so no other image can get its identity while this runs.
            let name = CacheKey("\(UInt(bitPattern: key.pixels)) \(options)")
            return try await work.join(name, priority: LivePriority(.normal)) { [coders] _ throws(ImageError) in
                // Another task may have finished it between the lookup and the join.
                if let known = self.find(key) { return known }
                let encoded = try await BlockingExecutor.decoding.run { () throws(ImageError) in
                    try ImageEncoding(coders: coders).encode(image, options: options)
                }
                let bytes = encoded.bytes.contiguous()
                let made = Encoded(
                    mimeType: (encoded.format ?? options.format)?.mimeTypes.first ?? "application/octet-stream",
                    tag: "\"\(String(Checksum.xxh3(bytes), radix: 16))-\(bytes.count)\"", bytes: bytes)
                self.keep(made, of: image.bitmap.storage, as: key)
                return made
            }.value
        }

        private func find(_ key: Key) -> Encoded? {
            state.withLock { state in
                guard let entry = state.entries[key], entry.pixels != nil else { return nil }
                state.clock += 1
                state.entries[key]?.used = state.clock
                return entry.encoded
            }
        }

        private func keep(_ encoded: Encoded, of pixels: BitmapStorage, as key: Key) {
            guard encoded.bytes.count <= maximumBytes else { return }
            state.withLock { state in
                if let old = state.entries.removeValue(forKey: key) { state.bytes -= old.encoded.bytes.count }
                if state.bytes + encoded.bytes.count > maximumBytes {
                    Self.makeRoom(for: encoded.bytes.count, maximumBytes, &state)
                }
                state.clock += 1
                state.entries[key] = Entry(pixels: pixels, encoded: encoded, used: state.clock)
                state.bytes += encoded.bytes.count
            }
        }

        /// Removes entries whose image is gone; then the least recently used, a quarter at once, so that this is not repeated for
        /// every response.
        private static func makeRoom(for count: Int, _ maximumBytes: Int, _ state: inout State) {
            state.entries = state.entries.filter { $0.value.pixels != nil }
            state.bytes = state.entries.values.reduce(0) { $0 + $1.encoded.bytes.count }
            guard state.bytes + count > maximumBytes else { return }
            for (key, entry) in state.entries.sorted(by: { $0.value.used < $1.value.used }) {
                guard state.bytes > min(maximumBytes / 4 * 3, maximumBytes - count) else { return }
                state.entries[key] = nil
                state.bytes -= entry.encoded.bytes.count
            }
        }
    }
#endif
