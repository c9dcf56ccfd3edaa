#if JXL
    import CJXL
    import GannetCore
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// Hidden frames, and how they are found. // U-05
    @Suite("Frames inside a JPEG XL codestream") struct JXLFramesTests {
        /// From the lowest bit of each byte on.
        private struct Bits {
            var bits: [Int] = []

            mutating func put(_ value: Int, _ count: Int) { for index in 0..<count { bits.append(value >> index & 1) } }
            mutating func align() { while bits.count % 8 != 0 { bits.append(0) } }

            mutating func size(_ value: Int) {
                if value < 256 {
                    put(0, 2)
                    put(value, 8)
                } else if value < 2304 {
                    put(1, 2)
                    put(value - 256, 11)
                } else if value < 18_688 {
                    put(2, 2)
                    put(value - 2304, 14)
                } else {
                    put(3, 2)
                    put(value - 18_688, 30)
                }
            }

            var bytes: [UInt8] {
                var whole = self
                whole.align()
                return stride(from: 0, to: whole.bits.count, by: 8).map { start in
                    (0..<8).reduce(0) { $0 | UInt8(whole.bits[start + $1] << $1) }
                }
            }
        }

        /// 8 × 8 pixels, everything else as usual.
        static var start: [UInt8] {
            var bits = Bits()
            bits.put(0x0AFF, 16)
            // Small, height 8, width by ratio 1; then all of the metadata by default.
            bits.put(1, 1)
            bits.put(0, 5)
            bits.put(1, 3)
            bits.put(3, 2)
            return bits.bytes
        }

        /// A source of patches of `side` × `side`, without data or all of one colour.
        static func hidden(_ side: Int, isPermuted: Bool = false, hasData: Bool = false) -> [UInt8] {
            var bits = Bits()
            bits.put(0, 1)
            bits.put(2, 2)
            // Modular, no flags, no upsampling, groups of 256, with a separate size.
            bits.put(1, 1)
            bits.put(0, 2)
            bits.put(0, 2)
            bits.put(1, 2)
            bits.put(1, 1)
            bits.size(side)
            bits.size(side)
            // Kept as 1, before the colours are changed; no name, the usual filter, no extensions.
            bits.put(1, 2)
            bits.put(1, 1)
            bits.put(0, 2)
            bits.put(1, 1)
            bits.put(0, 2)
            bits.put(isPermuted ? 1 : 0, 1)
            bits.align()
            let groups = (side + 255) / 256
            let coarse = (side + 2047) / 2048
            guard hasData else {
                for _ in 0..<(groups == 1 ? 1 : 2 + groups * groups + coarse * coarse) { bits.put(0, 12) }
                return bits.bytes
            }
            let common = Self.oneColor
            for length in [common.count] + [Int](repeating: 0, count: coarse * coarse + 1)
                + [Int](repeating: 1, count: groups * groups)
            {
                bits.put(0, 2)
                bits.put(length, 10)
            }
            return bits.bytes + common + [UInt8](repeating: 3, count: groups * groups)
        }

        /// The part that all groups share: one tree with one leaf, which decodes to zero.
        private static var oneColor: [UInt8] {
            var bits = Bits()
            bits.put(3, 2)
            for (value, count) in [(0, 1), (1, 1), (0, 2), (1, 1), (15, 4), (0, 1)] { bits.put(value, count) }
            for (value, count) in [(0, 1), (1, 1), (15, 4), (0, 1)] { bits.put(value, count) }
            bits.put(3, 2)
            bits.put(0, 2)
            return bits.bytes
        }

        /// Everything by default: shown, and the last.
        static func last(_ count: Int) -> [UInt8] {
            var bits = Bits()
            bits.put(1, 1)
            bits.put(0, 1)
            bits.align()
            bits.put(0, 2)
            bits.put(count, 10)
            return bits.bytes + [UInt8](repeating: 0xFF, count: count)
        }

        private func code(_ bytes: [UInt8], _ limits: DecodeLimits = .standard) -> ImageError.Code? {
            do throws(ImageError) {
                try JXLFrames.check(bytes, limits)
                return nil
            } catch { return error.code }
        }

        @Test("A part that is much larger than the picture is refused before it is decoded") func largeParts() throws {
            let bomb = Self.start + Self.hidden(20_000) + Self.last(40)
            #expect(code(bomb) == .limitExceeded)
            let decoder = try JXLCoder().makeDecoder(
                for: .jxl, options: ResolvedDecodeOptions(), environment: DecodeEnvironment())
            let error = #expect(throws: ImageError.self) { try decoder.read(from: ByteRope(bomb)) }
            #expect(error?.code == .limitExceeded)
            // In a container, whole and in two parts.
            func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
                let length = content.count + 8
                return [24, 16, 8, 0].map { UInt8(length >> $0 & 255) } + Array(type.utf8) + content
            }
            let mark = box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))
            #expect(code(mark + box("jxlc", bomb)) == .limitExceeded)
            let parts = box("jxlp", [0, 0, 0, 0] + bomb[..<20]) + box("free", []) + box("jxlp", [0x80, 0, 0, 1] + bomb[20...])
            #expect(code(mark + parts) == .limitExceeded)
            // Seen before the data come; a preview would decode them.
            #expect(code(Array(bomb[..<30])) == .limitExceeded)
        }

        @Test("Sides that no picture can have are refused with the header") func sides() throws {
            let head: [UInt8] = [
                0xFF, 0x0A, 0xFE, 0xFF, 0xFF, 0xFF, 0x3F, 0x00, 0x13, 0x01, 0x00, 0x00, 0x04, 0x10, 0x20, 0x01, 0xA0,
            ]
            let file = head + [UInt8](repeating: 0, count: 41)
            #expect(try JXLFrames.check(file, .standard) == nil)
            let decoder = try JXLCoder().makeDecoder(
                for: .jxl, options: ResolvedDecodeOptions(), environment: DecodeEnvironment())
            let error = #expect(throws: ImageError.self) { try decoder.read(from: ByteRope(file)) }
            #expect(error?.code == .limitExceeded)
        }

        @Test("Behind others, too, and many are counted") func many() throws {
            let small = Self.start + Self.last(40)
            let walked = try #require(try JXLFrames.check(small, .standard))
            #expect(walked.count == 1 && walked.hiddenWork == 0 && walked.end == small.count)
            let limits = DecodeLimits(maximumPixels: 1 << 30, maximumFrames: 5, maximumAnimationPixels: 3_000_000)
            // Bytes after the file do not count.
            #expect(code(small + Self.hidden(20_000), limits) == nil)
            #expect(code(Self.start + Self.hidden(20_000, isPermuted: true), limits) == .limitExceeded)
            let part = Self.hidden(1000)
            #expect(code(Self.start + part + Self.last(40), limits) == nil)
            #expect(code(Self.start + part + part + Self.last(40), limits) == nil)
            #expect(code(Self.start + part + Self.hidden(20_000), limits) == .limitExceeded)
            #expect(code(Self.start + part + part + part + part, limits) == .limitExceeded)
            #expect(code(Self.start + [[UInt8]](repeating: Self.hidden(2), count: 6).flatMap { $0 }, limits) == .limitExceeded)
            // An order that cannot be decoded hides everything after it.
            let hidden = try #require(
                try JXLFrames.check(Self.start + Self.hidden(1000, isPermuted: true) + Self.last(40), limits))
            #expect(!hidden.isKnown && hidden.hasOwnOrder && walked.isKnown)
            #expect(try JXLFrames.check(Self.start + part, limits)?.isKnown == false)
        }

        /// Every file that libjxl writes is gone through to its last byte: no header is read wrongly.
        @Test("What libjxl writes is gone through to its end", arguments: [10, 60, 100], [1, 3, 7])
        func written(quality: Int, effort: Int) throws {
            let coder = JXLCoder()
            let text = try TestImages.draw(width: 300, height: 530, alpha: .opaque) { x, y in
                // The same signs again and again: sources of patches.
                (x / 3 * 7 + y / 5 * 3) % 11 == 0 && x % 20 < 13 ? 0xFF00_0000 : 0xFFFF_FFFF
            }
            let images: [DecodedImage] = [
                TestImages.still(text), TestImages.still(try TestImages.discs(width: 90, height: 70)),
                TestImages.still(try TestImages.noise(width: 300, height: 20)),
                .animated(try TestImages.animation(frames: 5)), .animated(try TestImages.animation(frames: 4, clears: true)),
            ]
            for image in images {
                for progressive in [false, true] {
                    var options = EncodeOptions(quality: quality, effort: effort)
                    options.progressive = progressive
                    let bytes = try #require(try coder.makeEncoder(for: .jxl, options: options)).encode(image)
                    let walked = try #require(try JXLFrames.check(bytes, .standard))
                    #expect(walked.count >= image.frameCount && walked.end == JXLBoxes.codestream(bytes).count)
                    for count in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 50)) {
                        #expect(code(Array(bytes[..<count])) == nil)
                    }
                }
            }
        }

        @Test("Layers, crops, further channels and grey", arguments: [1, 2, 3, 4], [false, true])
        func layers(channels: Int, moves: Bool) throws {
            var sample = JXLSample(
                width: 20, height: 10, channels: channels,
                layers: [
                    .init(width: 20, height: 10, samples: [Int](repeating: 9, count: 200 * channels)),
                    .init(x: 3, y: 2, width: 5, height: 6, samples: [Int](repeating: 99, count: 30 * channels)),
                    .init(
                        x: -2, y: -1, width: 30, height: 20, samples: [Int](repeating: 199, count: 600 * channels),
                        mode: channels % 2 == 0 ? JXL_BLEND_BLEND : JXL_BLEND_ADD),
                ])
            if moves { sample.durations = [10, 0, 300] }
            for extra in [nil, JXL_CHANNEL_DEPTH] {
                sample.extra = extra
                let bytes = try sample.bytes()
                let walked = try #require(try JXLFrames.check(bytes, .standard))
                #expect(walked.count == 3 && walked.end == JXLBoxes.codestream(bytes).count)
                #expect(walked.hiddenWork == (moves ? 200 : 400))
            }
        }
    }
#endif
