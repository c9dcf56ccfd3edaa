#if JXL
    import CJXL
    import FoundationEssentials
    import GannetCodecs
    import GannetCore
    import Testing

    /// Features of files from other programs that our encoder does not write (FM-08).
    @Suite("Decoding JPEG XL") struct JXLDecoderTests {
        private let files = WritingCoder(coder: JXLCoder())

        private func straight(_ sample: JXLSample, frame: Int = 0) throws -> [Int] {
            try files.decode(sample.bytes(), frame: frame) { $0.alpha = .straight }.packedBytes().map { Int($0) }
        }

        private func plain(_ width: Int, _ height: Int, channels: Int = 3, bits: Int = 8) -> JXLSample {
            let samples = (0..<width * height * channels).map { $0 * 37 % (1 << bits) }
            return JXLSample(
                width: width, height: height, channels: channels, bits: bits,
                layers: [.init(width: width, height: height, samples: samples)])
        }

        @Test("Orientations are reported and left alone", arguments: Orientation.allCases)
        func orientation(_ orientation: Orientation) throws {
            var sample = plain(5, 3)
            sample.orientation = orientation
            let header = try files.header(sample.bytes())
            #expect(header.orientation == orientation)
            #expect(header.size == PixelSize(width: 5, height: 3))
            sample.orientation = .up
            let upright = try straight(sample)
            sample.orientation = orientation
            #expect(try straight(sample) == upright)
        }

        @Test("Grey, with and without alpha", arguments: [8, 16]) func gray(bits: Int) throws {
            let largest = 1 << bits - 1
            var sample = JXLSample(
                width: 3, height: 1, channels: 1, bits: bits,
                layers: [.init(width: 3, height: 1, samples: [0, largest / 5, largest])])
            #expect(try straight(sample) == [0, 0, 0, 255, 51, 51, 51, 255, 255, 255, 255, 255])
            #expect(try !files.header(sample.bytes()).hasAlpha)
            sample.channels = 2
            sample.layers[0].samples = [largest, 0, largest / 5, largest / 3, 0, largest]
            let found = try straight(sample)
            #expect(Array(found[4...]) == [51, 51, 51, 85, 0, 0, 0, 255])
            #expect(found[3] == 0)
        }

        /// From 0.10 on libjxl adds a pattern of less than half a step before it rounds, against bands.
        static let mostRounding = JxlDecoderVersion() < 10_000 ? 0.51 : 0.9999

        @Test("10 and 12 bits become 8 by rounding", arguments: [10, 12]) func rounding(bits: Int) throws {
            let sample = plain(20, 4, bits: bits)
            let found = try straight(sample)
            let largest = Double(1 << bits - 1)
            for (index, value) in sample.layers[0].samples.enumerated() {
                let exact = Double(value) * 255 / largest
                #expect(abs(Double(found[index / 3 * 4 + index % 3]) - exact) <= Self.mostRounding)
            }
            #expect(try files.header(sample.bytes()).bitDepth == bits)
        }

        @Test("Further channels are left out", arguments: [3, 4]) func extraChannels(channels: Int) throws {
            let sample = plain(6, 4, channels: channels)
            var extended = sample
            extended.extra = JXL_CHANNEL_DEPTH
            #expect(try straight(extended) == straight(sample))
        }

        /// 512 × 512 pixels and 255 channels beside the colours took 157 MB, of which 3 were reserved.
        @Test("Hundreds of channels are refused") func manyChannels() throws {
            let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
                path: "../../../Fuzz/Regressions/jxl/many-channels")
            let bytes = [UInt8](try Data(contentsOf: file))
            let error = #expect(throws: ImageError.self) { try files.header(bytes) }
            #expect(error?.code == .limitExceeded)
        }

        @Test("Layers become one picture") func layers() throws {
            let red = [Int](repeating: 0, count: 16).flatMap { _ in [255, 0, 0, 255] }
            let half = [0, 0, 255, 128, 0, 255, 0, 255]
            var sample = JXLSample(
                width: 4, height: 4, channels: 4,
                layers: [
                    .init(width: 4, height: 4, samples: red),
                    .init(x: 1, y: 2, width: 2, height: 1, samples: half, mode: JXL_BLEND_BLEND),
                ])
            let header = try files.header(sample.bytes())
            #expect(header.frameCount == 1 && header.animation == nil)
            let found = try straight(sample)
            #expect(Array(found[..<4]) == [255, 0, 0, 255])
            #expect(Array(found[36..<44]) == [127, 0, 128, 255, 0, 255, 0, 255])
            sample.layers[1].mode = JXL_BLEND_REPLACE
            #expect(try Array(straight(sample)[36..<40]) == [0, 0, 255, 128])
        }

        @Test("Frames of an animation may be parts") func partialFrames() throws {
            let red = [Int](repeating: 0, count: 16).flatMap { _ in [255, 0, 0, 255] }
            let green = [Int](repeating: 0, count: 4).flatMap { _ in [0, 255, 0, 255] }
            var sample = JXLSample(
                width: 4, height: 4, channels: 4,
                layers: [
                    .init(width: 4, height: 4, samples: red),
                    .init(x: 2, y: 2, width: 2, height: 2, samples: green, mode: JXL_BLEND_BLEND),
                    .init(x: 3, y: 3, width: 2, height: 2, samples: green, mode: JXL_BLEND_BLEND),
                ])
            sample.durations = [10, 20, 300]
            let header = try files.header(sample.bytes())
            #expect(header.frameCount == 3)
            #expect(header.animation?.delays == [.milliseconds(100), .milliseconds(200), .seconds(3)])
            for frame in [2, 0, 1] {
                let found = try straight(sample, frame: frame)
                #expect(Array(found[..<4]) == [255, 0, 0, 255])
                #expect(Array(found[60...]) == (frame == 0 ? [255, 0, 0, 255] : [0, 255, 0, 255]))
            }
        }

        @Test("Colours of wide and bright pictures are reported") func colours() throws {
            var sample = plain(4, 4)
            #expect(try files.header(sample.bytes()).colorSpace.cicp == nil)
            sample.transfer = JXL_TRANSFER_FUNCTION_PQ
            sample.primaries = JXL_PRIMARIES_2100
            let cicp = try files.header(sample.bytes()).colorSpace.cicp
            #expect(cicp?.primaries == 9 && cicp?.transfer == 16)
        }

        // MARK: - Containers

        /// libjxl 0.7 itself reads no boxes with lengths of 64 bits.
        @Test("Boxes may have long lengths", arguments: [false, true]) func longBoxes(comesInPieces: Bool) throws {
            let sample = plain(8, 6)
            let stream = try sample.bytes()
            var file: [UInt8] = [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 13, 10, 0x87, 10]
            file += [0, 0, 0, 20] + Array("ftypjxl ".utf8) + [0, 0, 0, 0] + Array("jxl ".utf8)
            for (type, content) in [("free", [1, 2, 3]), ("jxlc", stream)] {
                let length = content.count + 16
                file += [0, 0, 0, 1] + Array(type.utf8) + [0, 0, 0, 0, 0, 0, UInt8(length >> 8), UInt8(length & 255)] + content
            }
            let decoder = try JXLCoder().makeDecoder(
                for: .jxl, options: ResolvedDecodeOptions(DecodeOptions()), environment: DecodeEnvironment())
            if comesInPieces {
                for count in 1..<file.count {
                    _ = try decoder.read(from: ByteRope(Array(file[..<count]), isComplete: false))
                }
            }
            #expect(try decoder.read(from: ByteRope(file)) == .finished)
            var buffer = try PixelBuffer(try #require(decoder.outputLayout))
            try decoder.decodeFrame(at: 0, into: &buffer)
            #expect(buffer.freeze().packedBytes().map { Int($0) } == (try straight(sample)))
        }
    }
#endif
