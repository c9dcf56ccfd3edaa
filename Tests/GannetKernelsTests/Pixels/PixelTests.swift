import GannetCore
import Testing

@testable import GannetKernels

@Suite("Pixels")
struct PixelTests {
    @Test("premultiplying rounds exactly, for every colour and alpha")
    func premultiplying() throws {
        let picture = try Picture.make(256, 256, alpha: .straight) { x, y in [UInt8(x), UInt8(255 - x), UInt8(x / 2), UInt8(y)] }
        let result = try premultiplied(picture)
        #expect(result.layout.alpha == .premultiplied)
        for y in 0..<256 {
            for x in stride(from: 0, to: 256, by: 5) {
                let expected = [x, 255 - x, x / 2].map { ($0 * y * 2 + 255) / 510 } + [y]
                #expect(result.pixel(x, y) == expected)
            }
        }
    }

    @Test("dividing by alpha and multiplying again changes nothing")
    func roundTrip() throws {
        let picture = try Picture.make(256, 256) { x, y in [UInt8(min(x, y)), 0, UInt8(y), UInt8(y)] }
        let straight = try unpremultiplied(picture)
        #expect(straight.pixel(0, 0) == [0, 0, 0, 0])
        #expect(straight.pixel(100, 200) == [(100 * 510 + 200) / 400, 0, 255, 200])
        #expect(try premultiplied(straight).packedBytes() == picture.packedBytes())
        let deep = try Picture.noise16(40, 9)
        #expect(try premultiplied(unpremultiplied(deep)).packedBytes() == deep.packedBytes())
    }

    @Test("opacity is seen at every place")
    func opacity() throws {
        for place in [0, 1, 7, 8, 18, 34] {
            let picture = try Picture.make(7, 5) { x, y in [1, 2, 3, y * 7 + x == place ? 254 : 255] }
            #expect(!isOpaque(picture))
            let deep = try Picture.make16(7, 5) { x, y in [1, 2, 3, y * 7 + x == place ? 65534 : 65535] }
            #expect(!isOpaque(deep))
        }
        #expect(isOpaque(try Picture.make(7, 5) { _, _ in [1, 2, 3, 255] }))
        #expect(isOpaque(try Picture.make16(7, 5) { _, _ in [1, 2, 3, 65535] }))
        var buffer = try Picture.make(3, 3) { _, _ in [1, 2, 3, 255] }.mutableCopy()
        let bufferIsOpaque = isOpaque(&buffer)
        #expect(bufferIsOpaque)
    }

    // CD-33
    @Test("16 bits to 8 and back")
    func depth() throws {
        let deep = try Picture.make16(256, 16) { x, y in [UInt16(x * 256 + y * 16), UInt16(x * 257), 0, 65535] }
        let rounded = try narrowed(deep)
        let cut = try narrowed(deep, cuttingLowByte: true)
        for y in 0..<16 {
            for x in 0..<256 {
                #expect(rounded.pixel(x, y) == deep.pixel(x, y).map { ($0 * 510 + 65535) / 131070 })
                #expect(cut.pixel(x, y) == deep.pixel(x, y).map { $0 >> 8 })
            }
        }
        let picture = try Picture.noise(9, 9)
        #expect(try narrowed(widened(picture)).packedBytes() == picture.packedBytes())
        #expect(try narrowed(widened(picture), cuttingLowByte: true).packedBytes() == picture.packedBytes())
    }

    // test20CGImageCreateDecodedWithOrientation, testNormalized
    // CD-34
    @Test("all orientations of all small sizes, and of some larger than a tile", arguments: Orientation.allCases)
    func orientations(_ orientation: Orientation) throws {
        let sides = (1...8).flatMap { w in (1...8).map { (w, $0) } } + [(33, 7), (70, 37), (5, 64)]
        for (width, height) in sides {
            let picture = try Picture.make(width, height) { x, y in [UInt8(x), UInt8(y), UInt8(x ^ y), 255] }
            let deep = try Picture.make16(width, height) { x, y in [UInt16(x), UInt16(y), UInt16(x * y), 65535] }
            let result = try oriented(picture, orientation)
            let deepResult = try oriented(deep, orientation)
            #expect(result.size == orientation.displayed(picture.size))
            for y in 0..<result.height {
                for x in 0..<result.width {
                    // EXIF's words: where row 0 and column 0 of the stored picture are on screen.
                    let (column, row) =
                        switch orientation {
                        case .up: (x, y)
                        case .upMirrored: (width - 1 - x, y)
                        case .down: (width - 1 - x, height - 1 - y)
                        case .downMirrored: (x, height - 1 - y)
                        case .leftMirrored: (y, x)
                        case .right: (y, height - 1 - x)
                        case .rightMirrored: (width - 1 - y, height - 1 - x)
                        case .left: (width - 1 - y, x)
                        }
                    guard result.pixel(x, y) == picture.pixel(column, row), deepResult.pixel(x, y) == deep.pixel(column, row)
                    else {
                        Issue.record("\(width)×\(height) at \(x), \(y)")
                        return
                    }
                }
            }
        }
    }

    @Test("cutting out")
    func cropping() throws {
        let picture = try Picture.noise(9, 8)
        let part = try cropped(picture, to: PixelRect(x: -2, y: 3, width: 6, height: 99))
        #expect(part.size == Picture.size(4, 5))
        for y in 0..<5 { for x in 0..<4 { #expect(part.pixel(x, y) == picture.pixel(x, y + 3)) } }
        #expect { try cropped(picture, to: PixelRect(x: 9, y: 0, width: 1, height: 1)) } throws: {
            ($0 as? ImageError)?.code == .misuse
        }
        #expect(try cropped(picture, to: PixelRect(x: 0, y: 0, width: 9, height: 8)).identity == picture.identity)
    }
}
