import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetKernels
import GannetPlatform
import GannetTestSupport
import Testing

@Suite("Transformers of colour")
struct ColorTransformerTests {
    // TR-06: test06UIImageTransformTint
    @Test("tint: clear stays clear, opaque becomes the tint, half stays half")
    func tint() throws {
        let logo = try Drawing.logo()
        let color = PixelColor(red: 255, green: 128, blue: 0)
        let tinted = try logo.tinted(color)
        #expect(tinted.color(atX: 0, y: 0) == .clear)
        #expect(tinted.color(atX: 10, y: 10) == color)
        #expect(tinted.color(atX: 10, y: 27)?.alpha == 128)
        #expect(tinted.channels(10, 27) == [128, 64, 0, 128])
        for mode in [BlendMode.multiply, .screen, .color, .luminosity, .normal] {
            let mixed = try logo.tinted(color, mode: mode)
            for y in 0..<30 { for x in 0..<30 { #expect(mixed.channels(x, y)[3] == logo.channels(x, y)[3]) } }
        }
        #expect(try logo.tinted(color, mode: .multiply).color(atX: 20, y: 10) == .black)
        #expect(try logo.tinted(color, mode: .multiply).color(atX: 10, y: 10) == .red)
    }

    // TR-13
    @Test("overlay: 0 is the colour, 1 the picture, the shape stays")
    func overlay() throws {
        let logo = try Drawing.logo()
        #expect(try logo.overlaid(.green, fraction: 1).packedBytes() == logo.packedBytes())
        #expect(try logo.overlaid(.green, fraction: 0).color(atX: 10, y: 10) == .green)
        #expect(try logo.overlaid(.green).channels(10, 10) == [128, 128, 0, 255])
        #expect(try logo.overlaid(.green).color(atX: 0, y: 0) == .clear)
    }

    @Test("weights of any size are limited, not wrapped", arguments: [1e8, 1e39, -1e8])
    func largeWeights(weight: Double) throws {
        let white = try solid(255, 255, 255)
        let result = try white.transformed(
            by: .colorMatrix([weight, 0, 0, 0, 0, weight, 0, 0, 0, 0, weight, 0]))
        #expect(result.color(atX: 1, y: 1) == (weight > 0 ? .white : .black))
    }

    @Test("ranges hold for what is set later, too")
    func ranges() throws {
        var controls = ColorControlsTransformer()
        controls.exposure = 1100
        controls.contrast = .nan
        controls.saturation = -1
        controls.brightness = -.infinity
        #expect(controls == ColorControlsTransformer(brightness: 0, contrast: 0, saturation: 0, exposure: 20))
        var border = BorderStyle(width: 1, color: .red)
        border.width = -1e300
        #expect(border.width == 0)
        var sharpen = SharpenTransformer()
        (sharpen.radius, sharpen.amount) = (1e300, 1e9)
        #expect(sharpen == SharpenTransformer(radius: 100_000, amount: 100))
        var target = TargetSize.fit(1, 1)
        (target.width, target.height) = (.min, .max)
        #expect(target == .fit(1, PixelSize.maximumSide))
        for transformer in [controls, sharpen, RoundCornersTransformer(radius: .pixels(1), border: border)]
            as [any ImageTransformer]
        {
            #expect(try solid(0).transformed(by: transformer).size == solid(0).size)
        }
    }

    // TR-08: test08UIImageTransformFilter
    @Test("invert")
    func invert() throws {
        let logo = try Drawing.logo()
        let inverted = try logo.inverted()
        #expect(inverted.color(atX: 10, y: 10) == PixelColor(red: 0, green: 255, blue: 255))
        #expect(inverted.channels(10, 27) == [128, 0, 128, 128])
        #expect(inverted.color(atX: 0, y: 0) == .clear)
        #expect(difference(try inverted.inverted(), logo) == 0)
    }

    // TR-14, TR-15
    @Test("colour controls")
    func controls() throws {
        let flat = try Drawing.flat(2, 2, PixelColor(red: 100, green: 150, blue: 200))
        #expect(try flat.adjusted().packedBytes() == flat.packedBytes())
        #expect(try flat.adjusted(brightness: 0.2).channels(0, 0) == [151, 201, 251, 255])
        #expect(try flat.adjusted(contrast: 2).channels(0, 0) == [73, 173, 255, 255])
        let grey = try flat.adjusted(saturation: 0).channels(0, 0)
        #expect(grey == [143, 143, 143, 255])  // 0.2126 · 100 + 0.7152 · 150 + 0.0722 · 200
        #expect(try flat.grayscaled().channels(1, 1) == grey)
        // One stop doubles the light: 100 is 0.1274 of light, 0.2549 is 138.
        #expect(try flat.adjusted(exposure: 1).channels(0, 0)[0] == 138)
        #expect(try flat.transformed(by: .blackAndWhite).channels(0, 0)[0] > grey[0])
        let half = try Drawing.flat(2, 2, PixelColor(red: 100, green: 150, blue: 200, alpha: 128))
        #expect(try half.adjusted(brightness: 1, exposure: 3).channels(0, 0) == [128, 128, 128, 128])
    }

    // TR-11
    @Test("blend modes on opaque colours, by the formulas of W3C", arguments: BlendMode.allCases)
    func blendModes(_ mode: BlendMode) throws {
        let (b, s) = (0.4, 0.8)  // 102, 204
        let expected: [BlendMode: Double] = [
            .normal: s, .source: s, .destination: b, .clear: 0, .destinationOver: b, .sourceIn: s, .destinationIn: b,
            .sourceOut: 0, .destinationOut: 0, .sourceAtop: s, .destinationAtop: b, .xor: 0, .plus: 1, .multiply: b * s,
            .screen: b + s - b * s, .overlay: 2 * b * s, .darken: b, .lighten: s, .colorDodge: 1, .colorBurn: 1 - (1 - b) / s,
            .softLight: b + (2 * s - 1) * (b.squareRoot() - b), .hardLight: 1 - 2 * (1 - b) * (1 - s), .difference: s - b,
            .exclusion: b + s - 2 * b * s, .hue: b, .saturation: b, .color: b, .luminosity: s,
        ]
        let picture = try Drawing.flat(3, 2, PixelColor(red: 204, green: 204, blue: 204))
        let result = try picture.blended(mode, over: PixelColor(red: 102, green: 102, blue: 102))
        let value = try #require(expected[mode])
        #expect(abs(Double(result.channels(1, 1)[0]) - value * 255) <= 0.51)
        #expect(result.isPremultiplied)
        let clear = try Drawing.flat(3, 2, .clear).blended(mode, over: PixelColor(red: 102, green: 102, blue: 102))
        let keeps = ![BlendMode.clear, .source, .sourceIn, .destinationIn, .sourceOut, .destinationAtop].contains(mode)
        #expect(clear.channels(0, 0)[3] == (keeps ? 255 : 0))
    }

    @Test("opacity scales the picture")
    func opacity() throws {
        let result = try Drawing.flat(2, 2, .white).blended(.normal, over: .black, opacity: 0.5)
        #expect(result.channels(0, 0) == [128, 128, 128, 255])
    }

    @Test("flatten leaves nothing clear")
    func flatten() throws {
        let flat = try Drawing.logo().flattened(on: .white)
        #expect(flat.layout.alpha == .opaque)
        #expect(flat.color(atX: 0, y: 0) == .white)
        #expect(flat.color(atX: 10, y: 27) == PixelColor(red: 127, green: 255, blue: 127))
        #expect(flat.color(atX: 10, y: 10) == .red)
    }

    // TR-12
    @Test("border inside of the edge")
    func border() throws {
        let picture = try Drawing.flat(20, 10, .white).bordered(width: 2, color: .blue)
        #expect(picture.layout.alpha == .opaque)
        for (x, y) in [(0, 0), (1, 5), (19, 9), (10, 1), (10, 8)] { #expect(picture.color(atX: x, y: y) == .blue) }
        for (x, y) in [(2, 2), (17, 7), (10, 5)] { #expect(picture.color(atX: x, y: y) == .white) }
        let half = PixelColor(red: 0, green: 0, blue: 255, alpha: 128)
        #expect(try Drawing.flat(9, 9, .white).bordered(width: 1, color: half).channels(0, 4) == [127, 127, 255, 255])
    }

    @Test("a stamp lies where its anchor says, also one larger than the picture")
    func stamp() throws {
        let picture = try Drawing.flat(10, 6, .white)
        let badge = try Drawing.flat(3, 2, .red)
        let corner = try picture.stamped(with: badge, anchorX: 1, anchorY: 1)
        #expect(corner.color(atX: 9, y: 5) == .red && corner.color(atX: 7, y: 4) == .red)
        #expect(corner.color(atX: 6, y: 5) == .white && corner.color(atX: 9, y: 3) == .white)
        #expect(corner.layout.alpha == .opaque)
        let covered = try picture.stamped(with: try Drawing.flat(40, 40, .blue), opacity: 1)
        #expect(covered.packedBytes() == (try Drawing.flat(10, 6, .blue)).packedBytes())
        #expect(StampTransformer(badge).identifier != StampTransformer(try Drawing.flat(2, 3, .red)).identifier)
        #expect(StampTransformer(badge).identifier == StampTransformer(try Drawing.flat(3, 2, .red)).identifier)
    }

    // TR-07: test07UIImageTransformBlur
    @Test("blur: size kept, flat stays flat, no dark fringe", arguments: [0.3, 1, 2, 2.5, 6, 25, 400])
    func blur(_ radius: Double) throws {
        let color = PixelColor(red: 200, green: 100, blue: 50, alpha: 180)
        let flat = try Drawing.flat(40, 12, color)
        #expect(difference(try flat.blurred(radius: radius), flat) == 0)
        let logo = try Drawing.logo()
        let soft = try logo.blurred(radius: radius)
        #expect(soft.size == logo.size && soft.isPremultiplied)
        // Red next to nothing stays red: as much red as alpha.
        for x in 0..<8 {
            let pixel = soft.channels(x, 12)
            if radius < 2 { #expect(abs(pixel[0] - pixel[3]) <= 1 && pixel[1] <= 1) }
        }
        if radius < 30 { #expect(soft.channels(15, 0) != soft.channels(15, 29)) }
    }

    // TR-07
    @Test("blur has the variance of a Gaussian", arguments: [1.0, 1.9, 2.1, 3, 5.5])
    func variance(_ radius: Double) throws {
        let line = try Drawing.picture(81, 3) { x, _ in x == 40 ? .white : .black }
        let soft = try line.blurred(radius: radius)
        var (mass, spread) = (0.0, 0.0)
        for x in 0..<81 {
            let weight = Double(soft.channels(x, 1)[0])
            mass += weight
            spread += weight * Double((x - 40) * (x - 40))
        }
        #expect(abs(mass - 255) < 12)
        #expect(abs((spread / mass).squareRoot() - radius) < 0.06 * radius + 0.05)
    }

    @Test("sharpen: flat stays flat, edges get steeper, alpha stays")
    func sharpen() throws {
        let flat = try Drawing.flat(9, 9, PixelColor(red: 9, green: 90, blue: 200, alpha: 77))
        #expect(difference(try flat.sharpened(), flat) == 0)
        let edge = try Drawing.picture(12, 4) { x, _ in
            x < 6 ? PixelColor(red: 80, green: 80, blue: 80) : .init(red: 160, green: 160, blue: 160)
        }
        let sharp = try edge.sharpened(radius: 1, amount: 1)
        #expect(sharp.channels(5, 2)[0] < 80 && sharp.channels(6, 2)[0] > 160 && sharp.channels(0, 2)[0] == 80)
    }

    // TR-17
    @Test("colour at a point and in a rectangle")
    func colors() throws {
        let logo = try Drawing.logo()
        #expect(logo.color(atX: 10, y: 27) == PixelColor(red: 0, green: 255, blue: 0, alpha: 128))
        #expect(logo.color(atX: 30, y: 0) == nil && logo.color(atX: 0, y: -1) == nil)
        #expect(logo.colors(in: PixelRect(x: 14, y: 10, width: 2, height: 1)) == [.red, .blue])
        #expect(logo.colors(in: PixelRect(x: 50, y: 0, width: 2, height: 1)).isEmpty)
    }

    // testParsingColorRGBA
    @Test("colours in hexadecimal")
    func hex() {
        #expect(PixelColor(hex: "#f08") == PixelColor(red: 255, green: 0, blue: 136))
        #expect(PixelColor(hex: "FF008040") == PixelColor(red: 255, green: 0, blue: 128, alpha: 64))
        #expect(PixelColor(hex: "12345") == nil && PixelColor(hex: "gg0000") == nil && PixelColor(hex: "") == nil)
        #expect(PixelColor(red: 1, green: 35, blue: 69, alpha: 103).hex == "#01234567")
    }
}
