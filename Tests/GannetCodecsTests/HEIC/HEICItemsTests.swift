#if HEIC
    import GannetCore
    import Testing

    @testable import GannetCodecs

    /// Images made of other images, in files with impossible references (U-05).
    @Suite("References between the pictures of a HEIC file") struct HEICItemsTests {
        /// One item for each element, with these references.
        private func file(_ references: [[(kind: String, items: [Int])]]) -> [UInt8] {
            let items = references.map { PictureFileWriter.Item(type: "grid", data: [0], references: $0) }
            return PictureFileWriter(brand: "heic", items: items).bytes
        }

        private func code(_ bytes: [UInt8]) -> ImageError.Code? {
            do throws(ImageError) {
                try HEICItems.check(bytes)
                return nil
            } catch { return error.code }
        }

        @Test("What real files have is let through")
        func usual() {
            // A grid of tiles, its alpha of tiles with an alpha each, a thumbnail of both, and a block that describes all.
            let tiles: [[(kind: String, items: [Int])]] = [[], []]
            let alphas: [[(kind: String, items: [Int])]] = [[("auxl", [5])], [("auxl", [6])]]
            let bytes = file(
                [
                    [("dimg", [5, 6])], [("dimg", [7, 8]), ("auxl", [1])], [("thmb", [1, 2])], [("cdsc", [1, 2, 3])],
                ] + tiles + alphas)
            #expect(code(bytes) == nil)
            #expect(code(file([[], []])) == nil)
            // The same tile everywhere.
            #expect(code(file([[("dimg", Array(repeating: 2, count: 6100))], []])) == nil)
        }

        @Test("A picture that is a part of itself is damaged")
        func circles() {
            #expect(code(file([[("dimg", [1])]])) == .corrupt)
            #expect(code(file([[("dimg", [2])], [("dimg", [3])], [("dimg", [1])]])) == .corrupt)
            // Not reached from the first picture.
            #expect(code(file([[], [("dimg", [3])], [("dimg", [2])]])) == .corrupt)
            // By way of the alpha: a picture, its alpha, and that is made of the picture.
            #expect(code(file([[], [("auxl", [1]), ("dimg", [1])]])) == .corrupt)
            // In two boxes of the same kind.
            #expect(code(file([[("dimg", [2]), ("dimg", [1])], []])) == .corrupt)
        }

        @Test("Depth and decodes have a limit, just enough and one more")
        func limits() {
            func chain(_ count: Int) -> [UInt8] { file((1...count).map { $0 < count ? [("dimg", [$0 + 1])] : [] }) }
            #expect(code(chain(HEICItems.maximumDepth)) == nil)
            #expect(code(chain(HEICItems.maximumDepth + 1)) == .limitExceeded)
            #expect(code(chain(3000)) == .limitExceeded)
            // Also in reverse order: an item that was counted once must not count as flat.
            func backwards(_ count: Int) -> [UInt8] { file((1...count).map { $0 > 1 ? [("dimg", [$0 - 1])] : [] }) }
            #expect(code(backwards(HEICItems.maximumDepth)) == nil)
            #expect(code(backwards(HEICItems.maximumDepth + 1)) == .limitExceeded)
            // One for the whole.
            func wide(_ count: Int) -> [UInt8] { file([[("dimg", Array(repeating: 2, count: count))], []]) }
            #expect(code(wide(HEICItems.maximumDecodes - 1)) == nil)
            #expect(code(wide(HEICItems.maximumDecodes)) == .limitExceeded)
            // Seven levels of a hundred each: 100 to the power of seven.
            let many = (1...8).map { $0 < 8 ? [("dimg", Array(repeating: $0 + 1, count: 100))] : [] }
            #expect(code(file(many.map { $0.map { (kind: $0.0, items: $0.1) } })) == .limitExceeded)
        }

        /// libheif looks for each among all: 373 KB took twelve seconds.
        @Test("Items are counted, just enough and one more", arguments: ["iloc", "iinf", "ipma"]) func counted(kind: String) {
            func file(_ count: Int) -> [UInt8] {
                let list: [UInt8] =
                    switch kind {
                    case "iloc": PictureFileWriter.box("iloc", [2, 0, 0, 0, 0x44, 0] + PictureFileWriter.number(count, 4))
                    case "iinf": PictureFileWriter.box("iinf", [1, 0, 0, 0] + PictureFileWriter.number(count, 4))
                    default:
                        PictureFileWriter.box(
                            "iprp", PictureFileWriter.box("ipma", [0, 0, 0, 0] + PictureFileWriter.number(count, 4)))
                    }
                return PictureFileWriter.box("meta", [0, 0, 0, 0] + list)
            }
            #expect(code(file(HEIFLists.heic.most)) == nil)
            #expect(code(file(HEIFLists.heic.most + 1)) == .limitExceeded)
        }

        @Test("References that two readers would read differently are damaged, and so is one that is cut")
        func damaged() throws {
            let bytes = file([[("dimg", [2])], []])
            let place = try #require(bytes.firstRange(of: Array("dimg".utf8))).lowerBound
            // The count, one more and one less than the length has room for; the length, beyond its box.
            for (offset, value) in [(7, UInt8(2)), (7, 0), (-1, 200)] {
                var changed = bytes
                changed[place + offset] = value
                #expect(code(changed) == .corrupt)
            }
            #expect(code(Array(bytes[..<(place + 5)])) == nil, "the box that holds them is cut, so there are none")
        }
    }
#endif
