#if CommandLine
    import Foundation
    import Testing

    @testable import gannet

    struct TerminalTests {
        @Test func answersOfTerminals() {
            let kitty = TerminalAnswer(parsing: Array("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62;22c".utf8))
            #expect(kitty.hasKitty && !kitty.hasSixel && kitty.isComplete)
            #expect(kitty.cell == TerminalAnswer.Cell(width: 10, height: 20))
            let xterm = TerminalAnswer(parsing: Array("\u{1B}[?63;1;2;4;22c".utf8))
            #expect(!xterm.hasKitty && xterm.hasSixel && xterm.isComplete && xterm.cell == nil)
            #expect(TerminalAnswer(parsing: Array("\u{1B}_Gi=31;EINVAL\u{1B}\\\u{1B}[?64;2".utf8)) == TerminalAnswer())
            #expect(TerminalAnswer(parsing: Array("\u{1B}[6;0;-4t".utf8)).cell == nil)
            #expect(TerminalAnswer(parsing: [0xFF, 0x1B]) == TerminalAnswer())
        }

        private func picture(_ width: Int, _ pixels: [UInt32]) -> StraightImage {
            let bytes = pixels.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
            return StraightImage(width: width, height: pixels.count / width, bytes: bytes)
        }

        @Test func halfBlocksTellUpperFromLower() {
            let lines = HalfBlocks(hasAllColors: true)
                .draw(picture(4, [0xFF00_00FF, 0, 0x0102_03FF, 0, 0x00FF_00FF, 0x0000_FFFF, 0, 0]))
            #expect(
                lines == [
                    "\u{1B}[38;2;255;0;0;48;2;0;255;0m▀\u{1B}[0;38;2;0;0;255m▄\u{1B}[0;38;2;1;2;3m▀\u{1B}[0m \u{1B}[0m"
                ])
        }

        @Test func oddHeightsEndWithUpperHalves() {
            #expect(HalfBlocks(hasAllColors: true).draw(picture(1, [0x0102_03FF])) == ["\u{1B}[0;38;2;1;2;3m▀\u{1B}[0m"])
        }

        @Test(arguments: [
            (0, 0, 0, 16), (255, 255, 255, 231), (255, 0, 0, 196), (95, 135, 175, 67), (128, 128, 128, 244), (8, 8, 8, 232),
            (238, 238, 238, 255),
        ])
        func colorsOfTheCube(red: Int, green: Int, blue: Int, index: Int) {
            #expect(HalfBlocks.cubeIndex(red, green, blue) == index)
        }

        @Test func sixelsOfPlainColors() {
            let text = Sixel.encode(picture(2, [0xFF00_00FF, 0xFF00_00FF, 0x0000_FFFF, 0]))
            #expect(
                text == "\u{1B}P0;1;0q\"1;1;2;2#5;2;0;0;100#210;2;100;0;0#5A$#210@@-\u{1B}\\")
        }

        @Test func sixelsCountRepeats() {
            let text = Sixel.encode(picture(6, [UInt32](repeating: 0xFFFF_FFFF, count: 6)))
            #expect(text.contains("#251!6@-"))
        }

        @Test func kittyPiecesAreShortAndMarked() {
            let text = KittyGraphics.encode(.png([UInt8](repeating: 7, count: 5000)), number: 9)
            let pieces = text.components(separatedBy: "\u{1B}\\").dropLast()
            #expect(pieces.count == 2)
            #expect(pieces.first?.hasPrefix("\u{1B}_Ga=T,i=9,q=2,C=1,f=100,m=1;") == true)
            #expect(pieces.last?.hasPrefix("\u{1B}_Gm=0;") == true)
            #expect(pieces.allSatisfy { ($0.split(separator: ";").last?.count ?? 0) <= 4096 })
        }
    }
#endif
