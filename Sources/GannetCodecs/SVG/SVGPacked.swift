#if SVG
    import CGannetShims
    import GannetCore

    /// Decompresses gzip documents (`.svgz`): never more than requested, or than the limits allow.
    enum SVGPacked {
        static func isPacked(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: [0x1F, 0x8B, 8]) }

        /// Up to `count` decompressed bytes; fewer where the input ends or is damaged. Nil: there are none.
        static func head(_ packed: [UInt8], count: Int) -> [UInt8]? {
            var result: [UInt8] = []
            // In small pieces, because a damaged piece yields nothing.
            let end = unpack(packed, by: 64, { result += $0 }, while: { result.count < count })
            return end == .damaged && result.isEmpty ? nil : Array(result.prefix(count))
        }

        /// The whole document. Throws `limitExceeded` as soon as it exceeds a file's maximum length; `truncated` and `corrupt`.
        static func document(_ packed: [UInt8], _ limits: DecodeLimits) throws(ImageError) -> [UInt8] {
            var result: [UInt8] = []
            let end = unpack(packed, by: 1 << 14, { result += $0 }, while: { result.count <= limits.maximumEncodedBytes })
            switch end {
            case .none:
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "The SVG unpacks to more than \(limits.maximumEncodedBytes) bytes. Raise maximumEncodedBytes to allow it.")
            case .missing:
                throw ImageError(.truncated, stage: .decode, "The packed SVG ends before its document does.")
            case .damaged:
                throw ImageError(.corrupt, stage: .decode, "The packed SVG is damaged. Fetch or save it again.")
            case .reached: break
            }
            try limits.check(encodedBytes: result.count)
            return result
        }

        private enum End { case none, reached, missing, damaged }

        /// Decompresses in pieces of so many bytes, while more is wanted.
        private static func unpack(
            _ packed: [UInt8], by piece: Int, _ take: ([UInt8]) -> Void, while isWanted: () -> Bool
        ) -> End {
            packed.withUnsafeBufferPointer { source in
                guard let unpacker = gannet_svg_unpacker_new(source.baseAddress, source.count) else { return .damaged }
                defer { gannet_svg_unpacker_free(unpacker) }
                while isWanted() {
                    var ended: Int32 = 0
                    take(
                        [UInt8](unsafeUninitializedCapacity: piece) { target, filled in
                            gannet_svg_unpack(unpacker, target.baseAddress, piece, &filled, &ended)
                        })
                    if ended != 0 { return ended == 1 ? .reached : ended == 2 ? .missing : .damaged }
                }
                return .none
            }
        }
    }
#endif
