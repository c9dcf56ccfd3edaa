#if HTTP
    import CZlib

    /// Compressed bodies.
    package enum Packed {
        /// - Parameter windowBits: 31 gzip, 15 zlib, -15 raw.
        package static func deflated(_ bytes: [UInt8], windowBits: Int32 = 31) -> [UInt8] {
            var stream = z_stream()
            deflateInit2_(
                &stream, 9, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
            defer { deflateEnd(&stream) }
            let capacity = bytes.count + bytes.count / 1000 + 1024
            var input = bytes
            return [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
                input.withUnsafeMutableBufferPointer { source in
                    stream.next_in = source.baseAddress
                    stream.avail_in = UInt32(source.count)
                    stream.next_out = output.baseAddress
                    stream.avail_out = UInt32(capacity)
                    _ = deflate(&stream, Z_FINISH)
                }
                count = capacity - Int(stream.avail_out)
            }
        }

        /// A gzip head, and then nothing but empty blocks: it never grows and never ends.
        package static let endlessHead: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        package static let emptyBlock: [UInt8] = [0, 0, 0, 0xFF, 0xFF]
    }
#endif
