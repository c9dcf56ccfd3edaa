#if HEIC
    import CHEIF
    import GannetCore

    /// The owner of a libheif context and of the bytes that it reads, which stay where they are.
    final class HEICContext {
        let pointer: OpaquePointer
        private let bytes: HEICBytes

        /// Reads all boxes, but no pixels.
        init(_ bytes: HEICBytes, limits: DecodeLimits, threads: Int) throws(ImageError) {
            guard let pointer = heif_context_alloc() else {
                throw ImageError(.limitExceeded, stage: .decode, "libheif has no memory for this image.")
            }
            self.pointer = pointer
            self.bytes = bytes
            var own = Self.limits(limits)
            gannet_heif_set_limits(pointer, &own)
            // 0 means this thread.
            heif_context_set_max_decoding_threads(pointer, threads > 1 ? Int32(clamping: threads) : 0)
            try HEICHandle.check(
                heif_context_read_from_memory_without_copy(pointer, bytes.buffer.baseAddress, bytes.count, nil))
        }

        /// Limits for the library, high enough above ours that it only refuses what ours do not see: coded images are up to 63
        /// pixels wider and higher than shown, which is less than four times as many pixels or less than 8 million.
        private static func limits(_ limits: DecodeLimits) -> gannet_heif_limits {
            let pixels = UInt64(clamping: limits.maximumPixels).multipliedReportingOverflow(by: 4)
            return gannet_heif_limits(
                pixels: pixels.overflow ? .max : max(pixels.partialValue, 1 << 23), items: UInt32(HEIFLists.heic.most),
                extents_per_item: UInt32(HEICSizes.maximumExtents), tiles: UInt32(HEICItems.maximumDecodes),
                profile_bytes: UInt32(clamping: max(limits.maximumMetadataBytes, 1)),
                frames: UInt32(clamping: max(limits.maximumFrames, 1)))
        }

        deinit { heif_context_free(pointer) }

        /// Sets how much memory libheif may use for a reservation: rows are padded, and tiles are held in addition to the whole
        /// image.
        func allow(_ reservedBytes: Int) {
            gannet_heif_set_memory_limit(pointer, 2 * UInt64(clamping: reservedBytes) + (16 << 20))
        }

        /// The handle of the primary image, which the caller releases before this context ends.
        func primary() throws(ImageError) -> OpaquePointer {
            var handle: OpaquePointer?
            try HEICHandle.check(heif_context_get_primary_image_handle(pointer, &handle))
            guard let handle else { throw HEICHandle.corrupt("The HEIC file has no primary image.") }
            return handle
        }
    }

    /// The owner of the bytes of a file for libheif, at a place that does not change.
    final class HEICBytes {
        let buffer: UnsafeMutableBufferPointer<UInt8>
        let count: Int

        init(_ array: [UInt8]) {
            buffer = .allocate(capacity: max(1, array.count))
            _ = buffer.initialize(from: array)
            count = array.count
        }

        deinit { buffer.deallocate() }
    }
#endif
