#if RAW
    import CGannetShims
    import GannetCore

    /// The owner of the pixels that LibRaw has decoded; the only file that uses its pointers.
    struct RAWImage: ~Copyable {
        private let image: OpaquePointer

        /// Reads the header alone. Throws `corrupt`, `truncated`, `unsupported`, `cancelled` and `limitExceeded`.
        static func facts(_ bytes: [UInt8], _ watch: DecodeWatch) throws(ImageError) -> gannet_raw_facts {
            let stop = StopSign(watch)
            var facts = gannet_raw_facts()
            let result = bytes.withUnsafeBufferPointer { bytes in
                withExtendedLifetime(stop) { gannet_raw_read(bytes.baseAddress, bytes.count, StopSign.ask, stop.context, &facts) }
            }
            guard result == GANNET_RAW_OK else {
                let words = withUnsafeBytes(of: facts.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
                throw error(result, words, bytes, stop)
            }
            return facts
        }

        /// Decodes all of the file, which is read during the call only. Throws the same errors.
        init(_ bytes: [UInt8], isHalf: Bool, maximumBytes: Int, isTolerant: Bool, _ watch: DecodeWatch) throws(ImageError) {
            let stop = StopSign(watch)
            var result = GANNET_RAW_OK
            let made = bytes.withUnsafeBufferPointer { bytes in
                withExtendedLifetime(stop) {
                    gannet_raw_decode(
                        bytes.baseAddress, bytes.count, isHalf ? 1 : 0, UInt64(maximumBytes), isTolerant ? 1 : 0, StopSign.ask,
                        stop.context, &result)
                }
            }
            guard let made else { throw Self.error(GANNET_RAW_MEMORY, "", bytes, stop) }
            guard result == GANNET_RAW_OK else {
                let words = String(cString: gannet_raw_message(made))
                gannet_raw_free(made)
                throw Self.error(result, words, bytes, stop)
            }
            image = made
        }

        deinit { gannet_raw_free(image) }

        /// The library met damage and went on, which only a tolerant one does.
        var isDamaged: Bool { gannet_raw_is_damaged(image) != 0 }

        /// Writes sRGB over the whole buffer. False: the image has another size.
        func write(isDeep: Bool, into buffer: inout PixelBuffer) -> Bool {
            let size = buffer.size
            return buffer.withUnsafeRows { base, stride in
                gannet_raw_write(image, isDeep ? 1 : 0, base, stride, UInt32(size.width), UInt32(size.height)) != 0
            }
        }

        /// The library calls many a short file damaged or unknown: what the file says of its own length decides.
        private static func error(
            _ result: gannet_raw_result, _ words: String, _ bytes: [UInt8], _ stop: StopSign
        ) -> ImageError {
            switch result {
            case GANNET_RAW_STOPPED: return stop.error ?? .cancelled(stage: .decode)
            case GANNET_RAW_MEMORY:
                return ImageError(.limitExceeded, stage: .decode, "The system has no memory left to decode the raw file.")
            case GANNET_RAW_LARGE:
                return ImageError(
                    .limitExceeded, stage: .decode,
                    "The sensor of the raw file needs more memory than the limits allow. Raise maximumDecodedBytes.")
            default: break
            }
            if result == GANNET_RAW_TRUNCATED || RAWStructure(bytes).isCutOff {
                return ImageError(.truncated, stage: .decode, "The raw file ends before its image does. Load it again.")
            }
            if result == GANNET_RAW_UNSUPPORTED {
                return ImageError(
                    .unsupported, stage: .decode,
                    "LibRaw does not read this raw file (\(words)): the camera may be newer than the library. Convert it to DNG.")
            }
            return corrupt(words.isEmpty ? "LibRaw cannot decode it" : words)
        }

        static func corrupt(_ what: String) -> ImageError {
            ImageError(.corrupt, stage: .decode, "The raw file is damaged: \(what). Fetch it or copy it again.")
        }
    }
#endif
