import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetKernels
import GannetPlatform
import Testing

@Suite("All small sizes × orientations × content modes")  // CD-32, U-19
struct ExhaustiveResizeTests {
    @Test("turning and then resizing is resizing and then turning", arguments: Orientation.allCases)
    func orientations(_ orientation: Orientation) throws {
        for width in 1...8 {
            for height in 1...8 {
                let picture = try Drawing.varied(width, height)
                let upright = try oriented(picture, orientation)
                for mode in TargetSize.Mode.allCases {
                    for (boxWidth, boxHeight) in [(3, 2), (1, 5), (8, 8)] {
                        let target = TargetSize(mode, width: boxWidth, height: boxHeight, allowsUpscaling: boxWidth == 8)
                        let plan = target.plan(for: upright.size)
                        let first = try upright.resized(target, filter: .area)
                        #expect(first.size == plan.output)
                        // An odd rest of a cut goes to one side, which turning exchanges.
                        let cutsOddly =
                            (plan.scaled.width - plan.crop.width) & 1 == 1 || (plan.scaled.height - plan.crop.height) & 1 == 1
                        guard !cutsOddly else { continue }
                        let second = try oriented(picture.resized(target.stored(orientation), filter: .area), orientation)
                        guard difference(first, second) <= 1 else {
                            Issue.record("\(width)×\(height) \(orientation) \(target)")
                            return
                        }
                        // Corners stay corners.
                        for (x, y) in [(0.0, 0.0), (0, 1), (1, 0), (1, 1)] where mode == .fill {
                            let aside = target.focused(on: .point(x: x, y: y))
                            let first = try upright.resized(aside, filter: .area)
                            let second = try oriented(
                                picture.resized(aside.stored(orientation), filter: .area), orientation)
                            #expect(difference(first, second) <= 1, "\(width)×\(height) \(orientation) \(aside)")
                        }
                    }
                }
            }
        }
    }

    // CX-11, CD-32, CG-13
    @Test("a box is filled, held or met, and flat colour stays", arguments: TargetSize.Mode.allCases)
    func modes(_ mode: TargetSize.Mode) throws {
        let color = PixelColor(red: 250, green: 1, blue: 99, alpha: 200)
        for width in 1...8 {
            for height in 1...8 {
                let picture = try Drawing.flat(width, height, color)
                for boxWidth in 1...8 {
                    let boxHeight = (boxWidth * 3 + height) % 8 + 1
                    for upscaling in [false, true] {
                        let target = TargetSize(mode, width: boxWidth, height: boxHeight, allowsUpscaling: upscaling)
                        let result = try picture.resized(target)
                        #expect(result.width <= boxWidth && result.height <= boxHeight)
                        if upscaling {
                            switch mode {
                            case .fit: #expect(result.width == boxWidth || result.height == boxHeight)
                            case .fill, .stretch: #expect(result.width == boxWidth && result.height == boxHeight)
                            }
                        } else {
                            #expect(result.width <= width && result.height <= height)
                        }
                        #expect(difference(result, try Drawing.flat(result.width, result.height, color)) == 0)
                    }
                }
            }
        }
    }

    // testSizeContent, testDownsamplingSizes, testDownsamplingWithEdgeCaseSize
    @Test("sizes by content mode")
    func table() {
        let cases: [(PixelSize, TargetSize, PixelSize)] = [
            (PixelSize(clamping: 100, 100), .fit(20, 50), PixelSize(clamping: 20, 20)),
            (PixelSize(clamping: 100, 100), .fill(20, 50), PixelSize(clamping: 20, 50)),
            (PixelSize(clamping: 100, 50), .fit(50, 50), PixelSize(clamping: 50, 25)),
            (PixelSize(clamping: 50, 100), .fit(50, 50), PixelSize(clamping: 25, 50)),
            (PixelSize(clamping: 100, 50), .stretch(30, 40), PixelSize(clamping: 30, 40)),
            (PixelSize(clamping: 10, 10), .fit(50, 50), PixelSize(clamping: 10, 10)),
            (PixelSize(clamping: 4000, 3), .fit(100, 100), PixelSize(clamping: 100, 1)),
            (PixelSize(clamping: 4000, 1), .fit(3, 3), PixelSize(clamping: 3, 1)),
            (PixelSize(clamping: 4000, 3000), TargetSize(.fit, width: 400, height: nil), PixelSize(clamping: 400, 300)),
            (PixelSize(clamping: 4000, 3000), .fit(0, -7), PixelSize(clamping: 1, 1)),
        ]
        for (size, target, expected) in cases { #expect(target.plan(for: size).output == expected, "\(size) \(target)") }
    }

    /// S3-25
    @Test("a zone plate and an edge of alpha come back within half a pixel after down and up")
    func downAndUp() throws {
        // Rings that get finer outwards, up to a quarter of what the pixels can resolve.
        let side = 64
        let plate = try Drawing.picture(side, side) { x, y in
            let (dx, dy) = (Double(x) - 31.5, Double(y) - 31.5)
            let phase = (dx * dx + dy * dy) / 90
            let value = UInt8(128 + (phase.truncatingRemainder(dividingBy: 6.28) < 3.14 ? 100 : -100))
            return dx + dy > 20 ? .clear : PixelColor(red: value, green: value, blue: value)
        }
        for filter in [ResampleFilter.lanczos3, .catmullRom, .automatic] {
            let small = try plate.resized(.stretch(32, 32), filter: filter)
            let back = try small.resized(TargetSize(.stretch, width: side, height: side, allowsUpscaling: true), filter: filter)
            #expect(back.isPremultiplied && small.isPremultiplied)
            // The alpha edge crosses row 31 where dx = 20.5: find where it is half.
            for y in stride(from: 24, to: 44, by: 5) {
                let expected = 20 - (Double(y) - 31.5) + 31.5
                let crossing = try #require((1..<side).first { back.channels($0, y)[3] < 128 })
                let before = Double(back.channels(crossing - 1, y)[3])
                let after = Double(back.channels(crossing, y)[3])
                let place = Double(crossing - 1) + (before - 127.5) / (before - after)
                #expect(abs(place - expected) <= 0.75, "row \(y) \(filter)")
            }
            // No fringe: grey stays grey, and no darker beside the clear part than the darkest ring.
            for y in 0..<side {
                for x in 0..<side {
                    let pixel = back.channels(x, y)
                    #expect(pixel[0] == pixel[1] && pixel[1] == pixel[2])
                }
            }
        }
    }
}
