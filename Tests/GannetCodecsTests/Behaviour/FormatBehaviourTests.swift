import GannetCore
import GannetImages
import GannetTesting
import Testing

@testable import GannetCodecs

/// SDWebImage's coder tests that concern a single format.
@Suite("Behaviour of single formats, by the names of SDWebImage's tests") struct FormatBehaviourTests {
    #if JPEG
        @Test func test08ThatEncodeAlphaImageToJPGWithBackgroundColor() throws {  // CD-06
            let clear = try TestImages.draw(width: 16, height: 16, alpha: .premultiplied) { _, _ in 0 }
            let black = try CoderBehaviourTests.decode(
                try CoderBehaviourTests.encode(TestImages.still(clear), EncodeOptions(format: .jpeg, background: 0x000000)))
            #expect(Array(black.bitmap.packedBytes()[(16 + 1) * 4..<(16 + 1) * 4 + 4]) == [0, 0, 0, 255])
            let white = try CoderBehaviourTests.decode(
                try CoderBehaviourTests.encode(TestImages.still(clear), EncodeOptions(format: .jpeg)))
            #expect(Array(white.bitmap.packedBytes()[(16 + 1) * 4..<(16 + 1) * 4 + 4]) == [255, 255, 255, 255])
        }

        @Test func test09ThatJPGImageEncodeWithMaxFileSize() throws {  // CD-06
            let noise = TestImages.still(try TestImages.noise(width: 128, height: 96))
            func size(_ options: EncodeOptions) throws -> Int { try CoderBehaviourTests.encode(noise, options).count }
            let (smallest, largest) = try (
                size(EncodeOptions(format: .jpeg, quality: 0)), size(EncodeOptions(format: .jpeg, quality: 100))
            )
            let limit = (smallest + largest) / 2
            let between = try size(EncodeOptions(format: .jpeg, maximumFileSize: limit))
            #expect(between > smallest && between < largest && between <= limit)
        }

        @Test func test29ThatJFIFDecodeOrientationShouldNotApplyTwice() throws {  // CD-34
            let picture = try TestImages.gradient(width: 48, height: 16)
            let file = try CoderBehaviourTests.encode(TestImages.still(picture), EncodeOptions(format: .jpeg)).contiguous()
            // Our files begin with JFIF's segment; EXIF follows it and says: a quarter turn.
            let end = 4 + Int(file[4]) << 8 + Int(file[5])
            try #require(Array(file[6..<10]) == Array("JFIF".utf8))
            let exif: [UInt8] =
                Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
            let length = exif.count + 2
            let both = Array(file[..<end]) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + exif + Array(file[end...])
            let turned = try CoderBehaviourTests.decode(ByteRope(both))
            #expect(turned.size == PixelSize(width: 16, height: 48))
            #expect(try CoderBehaviourTests.decode(ByteRope(both), { $0.appliesOrientation = false }).size == picture.size)
            // Applied once and in the right direction: the left edge becomes the top edge.
            let upright = try CoderBehaviourTests.decode(ByteRope(file)).bitmap.packedBytes()
            let pixels = turned.bitmap.packedBytes()
            for (x, y) in [(0, 0), (47, 0), (0, 15), (20, 7)] {
                let stored = Array(upright[(y * 48 + x) * 4..<(y * 48 + x) * 4 + 4])
                let shown = (x * 16 + 15 - y) * 4
                #expect(Array(pixels[shown..<shown + 4]) == stored)
            }
        }
    #endif

    #if GIF
        @Test func test12ThatGIFWithoutLoopCountPlayOnce() throws {  // CD-37
            var file = GIFWorkTests.file(side: 4, frames: 2)
            guard case .animated(let once) = try CoderBehaviourTests.decode(ByteRope(file)) else {
                Issue.record("it does not move")
                return
            }
            #expect(once.loopCount == 1)
            file.insert(contentsOf: [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0], at: 19)
            #expect(try CoderBehaviourTests.decoding.header(of: ByteRope(file)).animation?.loopCount == 0)
        }

        @Test func test27ThatEncodeWithFramesWorks() throws {
            let frames = try (0..<5).map { index in
                try TestImages.draw(width: 9, height: 7, alpha: .opaque) { x, _ in x == index ? 0xFF00_00FF : 0xFFFF_FFFF }
            }
            let animation = AnimatedImage(
                metadata: ImageMetadata(format: nil, originalSize: frames[0].size), poster: frames[0], loopCount: 0,
                delays: frames.map { _ in .milliseconds(100) }, source: FrameArray(frames))
            let bytes = try CoderBehaviourTests.encode(.animated(animation), EncodeOptions(format: .gif))
            let header = try CoderBehaviourTests.decoding.header(of: bytes)
            #expect(header.frameCount == 5)
            #expect(header.animation?.loopCount == 0)
        }
    #endif

    #if PNG
        @Test func test30ThatImageIOPNGPluginBuggyWorkaround() throws {  // CD-38, U-35
            // Colours of a palette with alpha come out as they are; 16 bits stay 16 where they are wanted.
            var writer = PNGWriter()
            writer.chunk("IHDR", PNGWriter.bytes(2) + PNGWriter.bytes(1) + [8, 3, 0, 0, 0])
            writer.chunk("PLTE", [255, 0, 0, 153, 232, 232])
            writer.chunk("tRNS", [255, 51])
            writer.chunk("IDAT", PNGSample.zlib([0, 0, 1]))
            writer.chunk("IEND", [])
            let indexed = try CoderBehaviourTests.decode(ByteRope(writer.bytes)) { $0.alpha = .straight }
            #expect(Array(indexed.bitmap.packedBytes()[4..<8]) == [153, 232, 232, 51])

            writer = PNGWriter()
            writer.chunk("IHDR", PNGWriter.bytes(1) + PNGWriter.bytes(1) + [16, 2, 0, 0, 0])
            writer.chunk("IDAT", PNGSample.zlib([0, 0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC]))
            writer.chunk("IEND", [])
            let deep = try CoderBehaviourTests.decode(ByteRope(writer.bytes)) { $0.keeps16Bit = true }
            #expect(deep.bitmap.layout.format == .rgba16)
            #expect(deep.metadata.bitDepth == 16)
        }
    #endif

    #if HEIC
        @Test func test21ThatEmbedThumbnailHEICWorks() throws {  // CD-06
            let picture = TestImages.still(try TestImages.gradient(width: 400, height: 300))
            let plain = try CoderBehaviourTests.encode(picture, EncodeOptions(format: .heic))
            let more = try CoderBehaviourTests.encode(picture, EncodeOptions(format: .heic, embedsThumbnail: true))
            #expect(more.count > plain.count)
            #expect(try CoderBehaviourTests.decode(more).size == PixelSize(width: 400, height: 300))
        }
    #endif

    #if QOI
        @Test func test26ThatRawImageTypeHintWorks() throws {  // CX-13
            // A hint only selects the coder for bytes without a known signature: files with a signature need no hint, and bytes
            // without one are refused by the coder that the hint selects.
            let file = try CoderBehaviourTests.encode(
                TestImages.still(try TestImages.flat(width: 3, height: 2)), EncodeOptions(format: .qoi))
            #expect(try CoderBehaviourTests.decode(file, { $0.formatHint = .jpeg }).metadata.format == .qoi)
            let unknown = ByteRope([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16])
            #expect(throws: ImageError.self) { try CoderBehaviourTests.decode(unknown) { $0.formatHint = .qoi } }
        }
    #endif

    #if SVG
        @Test func test31ThatSVGShouldUseNativeImageClass() throws {  // FM-12
            let document = Array(
                "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='5'><rect width='10' height='5' fill='red'/></svg>"
                    .utf8)
            let picture = try CoderBehaviourTests.decode(ByteRope(document)) { $0.target = .size(.fit(200, 200)) }
            #expect(picture.metadata.isVector)
            // Drawn at the size asked for, not enlarged from a small picture.
            #expect(picture.size == PixelSize(width: 200, height: 100))
        }
    #endif
}
