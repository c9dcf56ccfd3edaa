#if PNG
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// Files without their end, and chunks at its wrong side.
    @Suite("The end of PNG files") struct PNGEndTests {
        private static let sample = PNGSample(width: 9, height: 12, color: .rgb, depth: 8)

        /// The end chunk is missing, or cut short.
        @Test(arguments: 0..<12, [false, true]) func pixelsAreAllThere(end: Int, isInterlaced: Bool) throws {
            var sample = Self.sample
            sample.isInterlaced = isInterlaced
            let file = Array(sample.file(pieces: 2).dropLast(12 - end))
            for allowsPartial in [false, true] {
                let decoder = try PNGDecoding.decoder(file, PNGDecoding.options { $0.allowsPartial = allowsPartial })
                #expect(try PNGDecoding.frame(decoder).packedBytes() == sample.expected)
                #expect(!decoder.isPartial && decoder.header?.frameCount == 1)
            }
        }

        /// As a JPEG has it: the size is known, only the pixels are not.
        @Test func theHeaderOfACutFile() throws {
            let file = Self.sample.file(extra: [("gAMA", [0, 1, 0, 0]), ("tEXt", Array("a\0b".utf8))])
            for count in 33..<file.count {
                let decoder = try PNGDecoding.decoder(Array(file.prefix(count)))
                #expect(decoder.header?.size == PixelSize(width: 9, height: 12), "\(count) bytes")
            }
            for count in 0..<33 {
                #expect(PNGDecoding.code { _ = try PNGDecoding.decoder(Array(file.prefix(count))) } == .truncated)
            }
        }

        /// All frames came; only the end chunk did not. One frame less is too few.
        @Test(arguments: [0, 11]) func anAnimationWithoutItsEnd(end: Int) throws {
            let animation = try TestImages.animation(frames: 3, loopCount: 2)
            let whole = try CoderBehaviourTests.encode(.animated(animation), EncodeOptions(format: .png)).contiguous()
            let file = Array(whole.dropLast(12 - end))
            let (decoder, expected) = (try PNGDecoding.decoder(file), try PNGDecoding.decoder(whole))
            #expect(decoder.header?.animation == expected.header?.animation && decoder.header?.frameCount == 3)
            for index in 0..<3 {
                #expect(
                    try PNGDecoding.frame(decoder, index).packedBytes() == PNGDecoding.frame(expected, index).packedBytes())
            }
            #expect(!decoder.isPartial)
            let last = try #require(file.indices.last { Array(file[$0...].prefix(4)) == Array("fcTL".utf8) })
            #expect(PNGDecoding.code { _ = try PNGDecoding.decoder(Array(file[..<(last - 4)])) } == .truncated)
            let partial = try PNGDecoding.decoder(
                Array(file[..<(last - 4)]), PNGDecoding.options { $0.allowsPartial = true })
            #expect(try PNGDecoding.frame(partial).packedBytes() == PNGDecoding.frame(expected).packedBytes())
            #expect(partial.isPartial && partial.header?.frameCount == 2)
        }

        private static let turned = EXIF.block(orientation: .right)
        private static let xmp = Array("XML:com.adobe.xmp\0\0\0\0\0<x tiff:Orientation='6'/>".utf8)

        private static func file(_ before: [(StaticString, [UInt8])], behind: [(StaticString, [UInt8])]) -> [UInt8] {
            var writer = PNGWriter()
            for (type, body) in behind { writer.chunk(type, body) }
            let file = sample.file(extra: before)
            return Array(file.dropLast(12)) + Array(writer.bytes.dropFirst(8)) + Array(file.suffix(12))
        }

        /// PNG 3rd edition, section 5.6: the picture is shown before they arrive.
        @Test func orientationsBehindThePixelsTurnNothing() throws {
            for (type, body) in [("eXIf", Self.turned), ("iTXt", Self.xmp)] as [(StaticString, [UInt8])] {
                let behind = try PNGDecoding.decoder(Self.file([], behind: [(type, body)]))
                #expect(behind.header?.orientation == .up)
                let before = try PNGDecoding.decoder(Self.file([(type, body)], behind: []))
                #expect(before.header?.orientation == .right)
                guard case .stripped(let bytes) = MetadataStripper.strip(Self.file([], behind: [(type, body)])) else {
                    Issue.record("nothing was removed")
                    continue
                }
                #expect(try PNGDecoding.decoder(bytes).header?.orientation == .up)
            }
            // The EXIF itself is there for those who want it.
            #expect(try PNGDecoding.decoder(Self.file([], behind: [("eXIf", Self.turned)])).exif == Self.turned)
        }

        @Test func aFileForApplesDevicesIsCalledSo() throws {
            var writer = PNGWriter()
            writer.chunk("CgBI", [0x50, 0, 0x20, 2])
            writer.chunk("IHDR", Self.sample.header)
            let error = #expect(throws: ImageError.self) { try PNGDecoding.decoder(writer.bytes) }
            #expect(error?.code == .unsupported && error?.message.contains("CgBI") == true)
        }
    }

    #if ColorManagement
        /// gAMA and cHRM, and what comes before them (PNG 3rd edition, section 4.3).
        @Suite("The light of PNG files") struct PNGLightTests {
            private static let linear: (StaticString, [UInt8]) = ("gAMA", [0, 1, 0x86, 0xA0])
            private static let usual: (StaticString, [UInt8]) = ("gAMA", [0, 0, 0xB1, 0x8F])
            /// White, red, green and blue of sRGB.
            private static let primaries: (StaticString, [UInt8]) = (
                "cHRM", [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000].flatMap { PNGWriter.bytes($0) }
            )
            /// Red and green change places.
            private static let swapped: (StaticString, [UInt8]) = (
                "cHRM", [31270, 32900, 30000, 60000, 64000, 33000, 15000, 6000].flatMap { PNGWriter.bytes($0) }
            )

            /// One pixel in sRGB.
            private func pixel(_ color: PNGFile.ColorType, _ value: [UInt8], _ extra: [(StaticString, [UInt8])]) throws -> [UInt8]
            {
                var writer = PNGWriter()
                writer.chunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, UInt8(color.rawValue), 0, 0, 0])
                for (type, body) in extra { writer.chunk(type, body) }
                writer.chunk("IDAT", PNGSample.zlib([0] + value))
                writer.chunk("IEND", [])
                var environment = DecodeEnvironment()
                environment.colorManager = LCMSColorManager()
                let image = try ImageDecoding(coders: CodersManager([PNGCoder()]), environment: environment)
                    .decode(ByteRope(writer.bytes))
                return Array(image.bitmap.packedBytes().prefix(3))
            }

            private func isNear(_ left: [UInt8], _ right: [UInt8]) -> Bool {
                zip(left, right).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
            }

            @Test func linearLight() throws {
                #expect(isNear(try pixel(.gray, [55], [Self.linear]), [128, 128, 128]))
                #expect(isNear(try pixel(.rgb, [55, 10, 128], [Self.linear]), [128, 56, 188]))
                #expect(isNear(try pixel(.rgb, [55, 10, 128], [Self.linear, Self.primaries]), [128, 56, 188]))
                #expect(isNear(try pixel(.rgb, [55, 10, 128], [Self.primaries, Self.linear]), [128, 56, 188]))
            }

            @Test func otherPrimaries() throws {
                #expect(isNear(try pixel(.rgb, [0, 255, 0], [Self.usual, Self.swapped]), [255, 0, 0]))
                #expect(isNear(try pixel(.rgb, [10, 55, 128], [Self.linear, Self.swapped]), [128, 56, 188]))
            }

            /// What most writers add means sRGB; numbers that no display has mean nothing.
            @Test func nothingToDo() throws {
                let extras: [[(StaticString, [UInt8])]] = [
                    [Self.usual], [Self.primaries], [Self.usual, Self.primaries], [("gAMA", [0, 0, 0, 0])], [("gAMA", [0, 1])],
                    [("cHRM", [UInt8](repeating: 0, count: 32))], [("cHRM", [])],
                ]
                for extra in extras {
                    #expect(try pixel(.rgb, [55, 10, 128], extra) == [55, 10, 128])
                    #expect(try pixel(.gray, [55], extra) == [55, 55, 55])
                }
            }

            @Test func theOthersComeFirst() throws {
                let profile = PNGLightTests.profile()
                for other in [("sRGB", [0]), ("cICP", [1, 13, 0, 1]), profile] as [(StaticString, [UInt8])] {
                    #expect(isNear(try pixel(.rgb, [55, 10, 128], [Self.linear, Self.primaries, other]), [55, 10, 128]))
                }
            }

            /// An sRGB profile, whose primaries are not as exactly those of sRGB that it would be left out.
            private static func profile() -> (StaticString, [UInt8]) {
                var light = PNGLight()
                light.takeChromaticities([31270, 32900, 64250, 33000, 30000, 60000, 15000, 6000].flatMap { PNGWriter.bytes($0) })
                return ("iCCP", [0x61, 0, 0] + PNGSample.zlib(light.profile(isGray: false)))
            }
        }
    #endif
#endif
