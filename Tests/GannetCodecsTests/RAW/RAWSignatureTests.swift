#if RAW
    import GannetCore
    import GannetImages
    import GannetTestSupport
    import Testing

    @testable import GannetCodecs

    /// Raw files, and what looks like them. // FM-11
    @Suite struct RAWSignatureTests {
        /// A TIFF header, one directory at 8, and a text behind it that the last field points to.
        private static func tiff(_ fields: [(tag: Int, type: Int, value: Int)], make: String, isBigEndian: Bool = false)
            -> [UInt8]
        {
            func word(_ value: Int) -> [UInt8] {
                let bytes = [UInt8(value >> 8 & 255), UInt8(value & 255)]
                return isBigEndian ? bytes : bytes.reversed()
            }
            func long(_ value: Int) -> [UInt8] {
                isBigEndian ? word(value >> 16) + word(value) : word(value) + word(value >> 16)
            }
            var bytes: [UInt8] = (isBigEndian ? [0x4D, 0x4D] : [0x49, 0x49]) + word(42) + long(8) + word(fields.count + 1)
            for (tag, type, value) in fields {
                bytes += word(tag) + word(type) + long(1) + (type == 3 ? word(value) + [0, 0] : long(value))
            }
            bytes += word(0x010F) + word(2) + long(make.utf8.count + 1) + long(8 + 2 + 12 * (fields.count + 1) + 4) + long(0)
            return bytes + Array(make.utf8) + [0]
        }

        private static func format(_ bytes: [UInt8]) -> ImageFormat? {
            var rope = ByteRope(bytes)
            rope.isComplete = true
            return CodersManager(BuiltInCoders.all).format(of: rope)
        }

        private static let preview: [(tag: Int, type: Int, value: Int)] = [(0x00FE, 4, 1), (0x0103, 3, 1), (0x014A, 4, 400)]

        @Test(arguments: [
            ("NIKON CORPORATION", preview), ("SONY", [(0x00FE, 4, 1), (0x0103, 3, 6), (0x014A, 4, 400)]),
            ("PENTAX ", [(0x0103, 3, 65_535)]), ("RICOH IMAGING COMPANY, LTD.", [(0x0106, 3, 32_803)]),
            ("SAMSUNG", [(0x0103, 3, 6), (0x014A, 4, 400)]), ("anybody", [(0xC612, 1, 0x401)]),
        ]) func `TIFF files with a sensor inside are raw files`(
            _ make: String, _ fields: [(tag: Int, type: Int, value: Int)]
        ) {
            for isBigEndian in [false, true] {
                let file = Self.tiff(fields, make: make, isBigEndian: isBigEndian)
                #expect(Self.format(file) == .raw)
                // No beginning of it is taken for another format.
                for count in 0..<file.count {
                    let head = Array(file[..<count])
                    switch RAWCoder().recognizes(head.span) {
                    case .needsMoreBytes(let needed): #expect(needed > count)
                    case .yes(let format): #expect(format == .raw)
                    case .no: Issue.record("\(make): no after \(count) bytes")
                    }
                }
            }
        }

        #if TIFF
            @Test func `Images that were developed from raw files stay TIFF files`() {
                // An image, pages below it, and a page of its own size; a make that no camera has.
                let plain: [(tag: Int, type: Int, value: Int)] = [(0x00FE, 4, 0), (0x0103, 3, 5), (0x0106, 3, 2)]
                #expect(Self.format(Self.tiff(plain, make: "NIKON CORPORATION")) == .tiff)
                #expect(Self.format(Self.tiff(plain + [(0x014A, 4, 400)], make: "NIKON CORPORATION")) == .tiff)
                #expect(Self.format(Self.tiff(Self.preview, make: "Scanners Inc.")) == .tiff)
                #expect(Self.format(Self.tiff([(0x0103, 3, 7)], make: "SONY")) == .tiff)
                // A directory behind the image is not looked at.
                let late = Array("II*\0".utf8) + [0, 0x20, 0, 0] + [UInt8](repeating: 0, count: 0x2000)
                #expect(Self.format(late) == .tiff)
            }
        #endif

        @Test(arguments: [
            "FUJIFILMCCD-RAW 0201", "IIRO\u{8}\0\0\0", "IIRS\u{8}\0\0\0", "MMOR\0\0\0\u{8}", "IIU\0\u{8}\0\0\0",
            "II*\0\u{10}\0\0\0CR\u{2}\0", "\0\0\0\u{18}ftypcrx \0\0\0\u{1}crx isom",
        ]) func `Signatures of makers`(_ start: String) {
            let file = Array(start.utf8) + [UInt8](repeating: 0, count: 40)
            #expect(Self.format(file) == .raw)
            for count in 0..<start.utf8.count {
                if case .no = RAWCoder().recognizes(Array(file[..<count]).span) {
                    Issue.record("\(start): no after \(count) bytes")
                }
            }
        }

        @Test func `Other files are none`() {
            for text in ["", "II", "IIXX", "\0\0\0\u{18}ftypheic", "FUJIFILM", "MM\0+"] {
                let bytes = Array(text.utf8) + [UInt8](repeating: 7, count: text.count < 4 ? 0 : 60)
                #expect(Self.format(bytes) != .raw, "\(text)")
            }
        }
    }
#endif
