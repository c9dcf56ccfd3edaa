#if JPEG
    import CGannetKernels
    import GannetCore

    /// What rows of a decoded picture come from: the library, or the kernel for small pictures.
    protocol JPEGRowSource: ~Copyable {
        /// The next rows, from row `y` of `buffer` on, at most `count`. Adds to `done` what came. False: there is nothing to go on with.
        func readRows(into buffer: inout PixelBuffer, at y: Int, count: Int, done: inout Int) throws(ImageError) -> Bool
    }

    extension JPEGHandle: JPEGRowSource {}

    /// Owner of a kernel that decodes a file at an eighth, a quarter or half of its size, in less time than the library and
    /// sharper. It has no use for damaged files: at the first wrong code it gives up, and the library decides what the file is.
    struct JPEGShrinker: ~Copyable, JPEGRowSource {
        /// Reads the bytes that ``JPEGHandle/reading(_:_:)`` shows, so it must not leave that call's closure.
        private let shrink: OpaquePointer
        private let watch: DecodeWatch
        private let width: Int

        /// Nil: the file is of a kind that only the library knows. Throws `limitExceeded` for more scans than are allowed.
        init?(_ handle: borrowing JPEGHandle, _ scaling: JPEGScaling, _ watch: DecodeWatch) throws(ImageError) {
            guard scaling.eighths < 8, let made = try handle.shrinker(eighths: scaling.eighths) else { return nil }
            shrink = made
            self.watch = watch
            width = scaling.decoded.width
        }

        /// Memory that it has beside the rows it delivers.
        var bytes: Int { gannet_jpeg_shrink_bytes(shrink) }

        deinit { gannet_jpeg_shrink_destroy(shrink) }

        /// False: it gave up.
        func readRows(into buffer: inout PixelBuffer, at y: Int, count: Int, done: inout Int) throws(ImageError) -> Bool {
            try watch.check()
            let room = min(count, buffer.size.height - y)
            precondition(y >= 0 && width == buffer.size.width && buffer.layout.format == .rgba8)
            let came = buffer.withUnsafeRows { base, stride in
                var came = 0
                while came < room, gannet_jpeg_shrink_row(shrink, base + (y + came) * stride) { came += 1 }
                return came
            }
            done += came
            return came == room
        }
    }
#endif
