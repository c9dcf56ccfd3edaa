#if CommandLine && Server
    import GannetCodecs
    import GannetCommandTestSupport
    import GannetCore
    import GannetSupport
    import Testing

    /// Facts from profiles and from cameras' blocks, damaged ones too.
    struct SourceFactsTests {
        private static func long(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (24 - 8 * $0) & 255) } }

        /// A profile with one tag, whose content is `content`.
        private static func profile(_ content: [UInt8]) -> [UInt8] {
            let table: [[UInt8]] = [
                [UInt8](repeating: 0, count: 128), long(1), Array("desc".utf8), long(144), long(content.count), content,
            ]
            return Array(table.joined())
        }

        private static let ascii: [UInt8] = {
            let parts: [[UInt8]] = [Array("desc".utf8), long(0), long(11), Array("Display P3\0".utf8)]
            return profile(Array(parts.joined()))
        }()

        private static let unicode: [UInt8] = {
            let text = Array("Größe 1".utf16).flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
            let parts: [[UInt8]] = [
                Array("mluc".utf8), long(0), long(1), long(12), Array("deDE".utf8), long(text.count), long(28), text,
            ]
            return profile(Array(parts.joined()))
        }()

        @Test func `A profile says its name in both versions of the format`() {
            #expect(ICCProfileName.of(Self.ascii) == "Display P3" && ICCProfileName.of(Self.unicode) == "Größe 1")
            #expect(ICCProfileName.of([]) == nil)
        }

        @Test func `A damaged profile has a name or none`() {
            for whole in [Self.ascii, Self.unicode] {
                for count in whole.indices { #expect(ICCProfileName.of(Array(whole[..<count]))?.isEmpty != true) }
                for index in 128..<whole.count {
                    for value: UInt8 in [0, 1, 127, 255] {
                        var bytes = whole
                        bytes[index] = value
                        #expect(ICCProfileName.of(bytes)?.isEmpty != true)
                    }
                }
            }
        }

        private static func block(_ north: (Int, Int), _ letter: String = "N") -> [UInt8] {
            EXIFBlock(place: [
                (0x0001, .text(letter)), (0x0002, .fractions([north, (0, 1), (0, 1)])),
                (0x0003, .text("W")), (0x0004, .fractions([(13, 1), (30, 1), (0, 1)])),
            ]).bytes
        }

        @Test func `A place is on the earth, or there is none`() {
            let place = CameraPlace(exif: Self.block((52, 1)))
            #expect(place?.latitude == 52 && place?.longitude == -13.5 && place != nil && place?.altitude == nil)
            #expect(CameraPlace(exif: Self.block((52, 1), "S"))?.latitude == -52)
            #expect(CameraPlace(exif: Self.block((91, 1))) == nil && CameraPlace(exif: Self.block((52, 0))) == nil)
            #expect(CameraPlace(exif: EXIFBlock().bytes) == nil && CameraPlace(exif: []) == nil)
        }

        @Test func `A damaged block has a place on the earth, or none`() {
            let whole = Self.block((52, 1))
            var found = 0
            for index in whole.indices {
                for value: UInt8 in [0, 1, 127, 255] {
                    var bytes = whole
                    bytes[index] = value
                    for place in [CameraPlace(exif: bytes), CameraPlace(exif: Array(whole[..<index]))].compactMap({ $0 }) {
                        #expect(abs(place.latitude) <= 90 && abs(place.longitude) <= 180)
                        found += 1
                    }
                }
            }
            #expect(found > 0)
        }
    }
#endif
