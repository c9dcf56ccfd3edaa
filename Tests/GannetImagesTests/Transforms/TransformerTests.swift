import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetKernels
import GannetPlatform
import Testing

/// The oracles of SDWebImage's SDImageTransformerTests, on a picture of our own.
@Suite("Transformers")
struct TransformerTests {
    // TR-02: test01UIImageTransformResize, testImageResizing, testImageScaling
    @Test("resize: exactly the size, and not upside down")
    func resize() throws {
        let logo = try Drawing.logo()
        let filled = try logo.transformed(by: .resize(width: 20, height: 10))
        #expect(filled.size == PixelSize(clamping: 20, 10))
        #expect(filled.color(atX: 10, y: 0) == .black)
        let boxed = try logo.resized(TargetSize(.fit, width: 200, height: 100, allowsUpscaling: true), background: .clear)
        #expect(boxed.size == PixelSize(clamping: 200, 100))
        #expect(boxed.color(atX: 100, y: 5) == .black)
        #expect(boxed.color(atX: 20, y: 50)?.alpha == 0)
        #expect(try logo.resized(.fit(200, 100)).size == logo.size)
        #expect(try logo.resized(.fit(15, 300)).size == PixelSize(clamping: 15, 15))
        #expect(try logo.resized(.fill(20, 10)).size == PixelSize(clamping: 20, 10))
    }

    /// S3-25
    @Test("resize in linear light keeps flat colour and mixes light")
    func linearLight() throws {
        let flat = try Drawing.flat(16, 16, PixelColor(red: 10, green: 100, blue: 200, alpha: 90))
        let small = try flat.resized(.stretch(5, 3), linearLight: true)
        #expect(difference(small, try Drawing.flat(5, 3, PixelColor(red: 10, green: 100, blue: 200, alpha: 90))) <= 1)
        // A fine checkerboard of black and white is half the light: 188 and not 128.
        let board = try Drawing.picture(32, 32) { x, y in (x + y) & 1 == 0 ? .black : .white }
        let grey = try board.resized(.stretch(4, 4), filter: .area, linearLight: true)
        #expect(grey.color(atX: 2, y: 2) == PixelColor(red: 188, green: 188, blue: 188))
        #expect(
            try board.resized(.stretch(4, 4), filter: .area).color(atX: 2, y: 2) == PixelColor(red: 128, green: 128, blue: 128))
    }

    // TR-03: test02UIImageTransformCrop, testImageCropping
    @Test("crop")
    func crop() throws {
        let logo = try Drawing.logo()
        let part = try logo.cropped(to: PixelRect(x: 3, y: 1, width: 20, height: 20))
        #expect(part.size == PixelSize(clamping: 20, 20))
        #expect(part.color(atX: 0, y: 0)?.alpha == 0)
        #expect(part.color(atX: 8, y: 0) == .black)
        #expect { try logo.cropped(to: PixelRect(x: 30, y: 0, width: 5, height: 5)) } throws: {
            ($0 as? ImageError)?.code == .misuse
        }
    }

    // testSizeConstraintByAnchor
    // TR-03
    @Test("crop to an anchor: the part of 100 × 100 for each anchor")
    func anchors() {
        let size = PixelSize(clamping: 100, 100)
        let cases: [(Int, Int, Double, Double, PixelRect)] = [
            (50, 50, 0, 0, PixelRect(x: 0, y: 0, width: 50, height: 50)),
            (50, 50, 0.5, 0.5, PixelRect(x: 25, y: 25, width: 50, height: 50)),
            (50, 50, 1, 1, PixelRect(x: 50, y: 50, width: 50, height: 50)),
            (50, 50, 0, 1, PixelRect(x: 0, y: 50, width: 50, height: 50)),
            (40, 80, 0.5, 0.5, PixelRect(x: 30, y: 10, width: 40, height: 80)),
            (120, 50, 0.5, 0.5, PixelRect(x: 0, y: 25, width: 100, height: 50)),
            (50, 50, -3, 7, PixelRect(x: 0, y: 50, width: 50, height: 50)),
        ]
        for (width, height, x, y, expected) in cases {
            let crop = CropTransformer(.anchored(PixelSize(clamping: width, height), x: x, y: y))
            #expect(crop.rectangle(in: size) == expected)
        }
    }

    // TR-01: test03UIImageTransformRoundedCorner
    @Test("round corners with a border: size kept, corner clear, border on the edge")
    func roundCorners() throws {
        let picture = try Drawing.flat(30, 30, .red)
        let round = try picture.roundedCorners(radius: 10, border: BorderStyle(width: 1, color: .black))
        #expect(round.size == picture.size)
        #expect(round.color(atX: 0, y: 0)?.alpha == 0)
        #expect(round.color(atX: 0, y: 15) == .black)
        #expect(round.color(atX: 1, y: 15) == .red)
        #expect(round.color(atX: 15, y: 29) == .black)
        let one = try picture.roundedCorners(radius: 10, corners: [.topLeft])
        #expect(one.color(atX: 0, y: 0)?.alpha == 0)
        for (x, y) in [(29, 0), (0, 29), (29, 29)] { #expect(one.color(atX: x, y: y) == .red) }
        let behind = try picture.roundedCorners(radius: .widthFraction(0.5), background: .white)
        #expect(behind.layout.alpha == .opaque && behind.color(atX: 0, y: 0) == .white && behind.color(atX: 15, y: 15) == .red)
    }

    @Test("round corners cover what a circle covers")
    func coverage() throws {
        for radius in [1.0, 3, 7.5, 16] {
            let round = try Drawing.flat(40, 40, .white).roundedCorners(radius: radius)
            var sum = 0.0
            for y in 0..<40 { for x in 0..<40 { sum += Double(round.channels(x, y)[3]) / 255 } }
            let expected = 1600 - (4 - Double.pi) * radius * radius
            #expect(abs(sum - expected) < 0.02 * radius + 0.02, "radius \(radius)")
        }
    }

    @Test("circle: the middle square, round")
    func circle() throws {
        let circle = try Drawing.logo().cropped(to: PixelRect(x: 5, y: 5, width: 20, height: 14)).circular()
        #expect(circle.size == PixelSize(clamping: 14, 14))
        #expect(circle.color(atX: 0, y: 0)?.alpha == 0)
        #expect(circle.color(atX: 0, y: 7)?.alpha ?? 0 > 100)
    }

    // TR-05: test04UIImageTransformRotate
    @Test("rotate by 45° with and without fit")
    func rotate() throws {
        let logo = try Drawing.flat(30, 30, .black)
        let kept = try logo.rotated(degrees: 45, fit: false)
        #expect(kept.size == logo.size)
        #expect(kept.color(atX: 0, y: 0)?.alpha == 0)
        let fitting = try logo.rotated(degrees: 45)
        #expect(fitting.width == 43 && fitting.height == 43)  // 30 √2 = 42.4
        #expect(fitting.color(atX: 21, y: 21) == .black)
        #expect(fitting.isPremultiplied)
        let behind = try logo.rotated(degrees: 30, background: .white)
        #expect(behind.layout.alpha == .opaque && behind.color(atX: 0, y: 0) == .white)
    }

    // TR-05
    @Test("quarter turns are exact, in every way of writing them")
    func quarters() throws {
        let picture = try Drawing.varied(5, 3)
        let right = try picture.rotated(degrees: 90)
        #expect(right.size == PixelSize(clamping: 3, 5))
        #expect(right.channels(2, 0) == picture.channels(0, 0))
        #expect(try picture.rotated(degrees: 450).packedBytes() == right.packedBytes())
        #expect(try picture.rotated(degrees: -270).packedBytes() == right.packedBytes())
        #expect(try picture.rotated(degrees: 360).packedBytes() == picture.packedBytes())
        #expect(try picture.rotated(degrees: 90).rotated(degrees: -90).packedBytes() == picture.packedBytes())
        #expect(try picture.rotated(degrees: .infinity).packedBytes() == picture.packedBytes())
    }

    @Test("a slanted turn moves the centre of mass nowhere")
    func centre() throws {
        let spot = try Drawing.picture(21, 21) { x, y in (9...11).contains(x) && (9...11).contains(y) ? .white : .clear }
        for degrees in [1.0, 17, 45, 123, 200, 359] {
            for fast in [true, false] {
                let turned = try spot.transformed(by: .rotate(degrees: degrees, fit: false, fast: fast))
                var (mass, sumX, sumY) = (0.0, 0.0, 0.0)
                for y in 0..<21 {
                    for x in 0..<21 {
                        let weight = Double(turned.channels(x, y)[3])
                        mass += weight
                        sumX += weight * Double(x)
                        sumY += weight * Double(y)
                    }
                }
                #expect(abs(sumX / mass - 10) < 0.05 && abs(sumY / mass - 10) < 0.05, "\(degrees)° \(fast)")
                #expect(abs(mass / 255 - 9) < 0.5, "\(degrees)° \(fast)")
            }
        }
    }

    // TR-04: test05UIImageTransformFlip
    @Test("flip exchanges the corners")
    func flip() throws {
        let picture = try Drawing.varied(6, 4)
        #expect(try picture.flipped(horizontal: true).channels(5, 0) == picture.channels(0, 0))
        #expect(try picture.flipped(vertical: true).channels(0, 3) == picture.channels(0, 0))
        #expect(try picture.flipped(horizontal: true, vertical: true).channels(5, 3) == picture.channels(0, 0))
        #expect(try picture.flipped().packedBytes() == picture.packedBytes())
    }

    // TR-09: test09ImagePipelineTransformer, testProcessorConcating
    @Test("a pipeline keeps the order and joins the identifiers")
    func pipeline() throws {
        let crop: any ImageTransformer = .crop(x: 0, y: 0, width: 10, height: 10)
        let turn: any ImageTransformer = .rotate(degrees: 45)
        let both = StandardTransformer.pipeline(crop, turn)
        #expect(both.identifier == "pipeline(17:crop@1(0,0,10,10)24:rotate@1(45,fit,-,cubic))")
        #expect(both.identifier != StandardTransformer.pipeline(turn, crop).identifier)
        #expect(crop.then(turn).identifier == both.identifier)
        let three = "pipeline(17:crop@1(0,0,10,10)24:rotate@1(45,fit,-,cubic)8:gray@1())"
        #expect(crop.then(turn).then(.grayscale).identifier == three)
        let logo = try Drawing.logo()
        #expect(try logo.transformed(by: both).size == PixelSize(clamping: 15, 15))
        #expect(try logo.transformed(by: .pipeline(turn, crop)).size == PixelSize(clamping: 10, 10))
        #expect(StandardTransformer.pipeline(crop, .custom(nil) { bitmap, _ throws(ImageError) in bitmap }).identifier == nil)
    }

    // TR-19, TR-08
    @Test("a closure with an identifier")
    func closure() throws {
        let half: StandardTransformer = .custom("half|1") { bitmap, _ throws(ImageError) in
            try bitmap.cropped(to: PixelSize(clamping: bitmap.width / 2, bitmap.height))
        }
        #expect(half.identifier == "custom@1(half%7c;1)")
        #expect(try Drawing.logo().transformed(by: half).width == 15)
    }

    // TR-19
    @Test("a closure throws what it likes: ours as it is, others beneath ours")
    func throwingClosure() throws {
        struct Broken: Error {}
        let logo = try Drawing.logo()
        let half = ClosureTransformer(identifier: "half") { bitmap, _ in
            guard bitmap.width == logo.width else { throw Broken() }
            return try bitmap.cropped(to: PixelSize(clamping: bitmap.width / 2, bitmap.height))
        }
        let once = try logo.transformed(by: half)
        #expect(once.width == 15)
        #expect { try once.transformed(by: half) } throws: {
            let error = $0 as? ImageError
            return error?.code == .transformFailed && error?.stage == .transform && error?.underlying is Broken
        }
        let cancelled: StandardTransformer = .custom("no") { _, _ in throw CancellationError() }
        #expect { try logo.transformed(by: cancelled) } throws: { ($0 as? ImageError)?.code == .cancelled }
    }

    @Test("limits hold for what a transformer makes")
    func limits() throws {
        let logo = try Drawing.logo()
        var context = TransformContext(metadata: ImageMetadata(format: nil, originalSize: logo.size))
        context.limits.maximumPixels = 1600
        let fits = ResizeTransformer(TargetSize(.stretch, width: 40, height: 40, allowsUpscaling: true))
        #expect(try fits.transform(logo, context: context).width == 40)
        let large = ResizeTransformer(TargetSize(.stretch, width: 41, height: 40, allowsUpscaling: true))
        #expect { try large.transform(logo, context: context) } throws: { ($0 as? ImageError)?.code == .limitExceeded }
        #expect { try RotateTransformer(degrees: 45).transform(logo, context: context) } throws: {
            ($0 as? ImageError)?.code == .limitExceeded
        }
    }
}
