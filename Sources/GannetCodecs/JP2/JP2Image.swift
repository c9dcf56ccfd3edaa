#if JP2
    import CGannetShims
    import GannetCore

    /// The owner of the samples that OpenJPEG has decoded; the only file that uses its pointers.
    struct JP2Image: ~Copyable {
        /// A channel of the output: a component, and the output for each of its samples.
        struct Channel {
            var component: Int
            var table: [UInt16]
        }

        private let image: OpaquePointer

        /// Decodes the codestream in `range`, which is read during the call only, or a part of it (nil: all). Throws `corrupt`, `cancelled` and `limitExceeded`.
        init(
            _ bytes: [UInt8], _ range: Range<Int>, reduction: Int, area: JP2Codestream.Area?, threads: Int, isTolerant: Bool,
            _ watch: DecodeWatch
        ) throws(ImageError) {
            let stop = StopSign(watch)
            let part =
                area.map {
                    gannet_jp2_area(
                        left: UInt32(clamping: $0.left), top: UInt32(clamping: $0.top), right: UInt32(clamping: $0.right),
                        bottom: UInt32(clamping: $0.bottom))
                } ?? gannet_jp2_area()
            var result = GANNET_JP2_OK
            let made = bytes.withUnsafeBufferPointer { bytes in
                withExtendedLifetime(stop) {
                    gannet_jp2_decode(
                        bytes.baseAddress.map { $0 + range.lowerBound }, range.count, UInt32(reduction), part,
                        Int32(clamping: threads), isTolerant ? 1 : 0, StopSign.ask, stop.context, &result)
                }
            }
            guard let made else {
                throw ImageError(.limitExceeded, stage: .decode, "The system has no memory left to decode the JPEG 2000 image.")
            }
            switch result {
            case GANNET_JP2_OK: image = made
            case GANNET_JP2_CORRUPT where isTolerant: image = made
            default:
                let words = String(cString: gannet_jp2_message(made))
                gannet_jp2_free(made)
                if result == GANNET_JP2_STOPPED { throw stop.error ?? .cancelled(stage: .decode) }
                if result == GANNET_JP2_MEMORY {
                    throw ImageError(
                        .limitExceeded, stage: .decode, "The system has no memory left to decode the JPEG 2000 image.")
                }
                throw JP2Codestream.corrupt(words.isEmpty ? "OpenJPEG cannot decode it" : words)
            }
        }

        deinit { gannet_jp2_free(image) }

        /// Writes red, green, blue and alpha (nil: opaque) over the whole buffer. `start`: the first pixel, on the halved reference grid.
        /// False: a component is missing. Throws `cancelled` and `limitExceeded` (time) between bands of rows.
        func write(
            _ channels: [Channel?], isYCC: Bool, lab: gannet_jp2_lab?, isDeep: Bool, from start: (x: Int, y: Int), skipped: Int,
            into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) -> Bool {
            let size = buffer.size
            // One array keeps the tables at their places during the call.
            let tables = channels.flatMap { $0?.table ?? [] }
            return try tables.withUnsafeBufferPointer { (tables) throws(ImageError) in
                var offset = 0
                let entries = channels.map { channel in
                    defer { offset += channel?.table.count ?? 0 }
                    return gannet_jp2_channel(
                        table: channel == nil ? nil : tables.baseAddress.map { $0 + offset },
                        entries: UInt32(channel?.table.count ?? 0), component: UInt32(channel?.component ?? 0))
                }
                // Is only read during the call, as the entries are.
                let ranges = lab.map { [$0] } ?? []
                return try entries.withUnsafeBufferPointer { (entries) throws(ImageError) in
                    for first in stride(from: 0, to: size.height, by: Self.rowsOfBand) {
                        try watch.check()
                        let isThere = buffer.withUnsafeRows { base, stride in
                            gannet_jp2_write(
                                image, entries.baseAddress, isYCC ? 1 : 0, ranges.isEmpty ? nil : ranges, isDeep ? 1 : 0,
                                UInt32(clamping: start.x), UInt32(clamping: start.y + first << skipped), UInt32(skipped),
                                base + first * stride, stride, UInt32(size.width),
                                UInt32(min(Self.rowsOfBand, size.height - first))) != 0
                        }
                        guard isThere else { return false }
                    }
                    return true
                }
            }
        }

        private static let rowsOfBand = 64
    }
#endif
