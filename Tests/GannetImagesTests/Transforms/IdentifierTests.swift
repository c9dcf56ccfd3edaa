import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetKernels
import GannetPlatform
import Testing

/// The same numbers in every run.
private struct Chance {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }

    mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }
    mutating func number() -> Double { pick([0, 0.1, 0.25, 0.5, 1, 1.5, 2, 4, 12, 0.1 + 0.2, 0.3]) }
    mutating func side() -> Int? { pick([nil, 1, 2, 10, 11, 21, 100, 110]) }
    mutating func color() -> PixelColor {
        PixelColor(red: pick([0, 1, 255]), green: pick([0, 16]), blue: pick([0, 255]), alpha: pick([0, 1, 128, 255]))
    }
    mutating func border() -> BorderStyle? { below(2) == 0 ? nil : BorderStyle(width: number(), color: color()) }
    mutating func background() -> PixelColor? { below(2) == 0 ? nil : color() }
    mutating func radius() -> CornerRadius {
        pick([.pixels(number()), .widthFraction(number()), .heightFraction(number())])
    }

    /// Any transformer with any parameters, as something that can be compared.
    mutating func transformer() -> any ImageTransformer & Hashable {
        switch below(14) {
        case 0:
            ResizeTransformer(
                TargetSize(pick(TargetSize.Mode.allCases), width: side(), height: side(), allowsUpscaling: below(2) == 0),
                filter: pick(ResampleFilter.allCases), usesLinearLight: below(2) == 0, background: background())
        case 1: CropTransformer(.rectangle(PixelRect(x: below(12), y: below(12), width: below(12), height: below(12))))
        case 2:
            CropTransformer(.anchored(PixelSize(clamping: below(12), below(12)), x: pick([0, 0.5, 1]), y: pick([0, 0.5, 1])))
        case 3:
            RotateTransformer(
                degrees: Double(below(360)), fits: below(2) == 0, background: background(), quality: pick([.linear, .cubic]))
        case 4: FlipTransformer(horizontal: below(2) == 0, vertical: below(2) == 0)
        case 5:
            RoundCornersTransformer(
                radius: radius(), corners: Corners(rawValue: below(16)), border: border(), background: background())
        case 6: CircleTransformer(border: border(), background: background())
        case 7: TintTransformer(color(), mode: pick(BlendMode.allCases))
        case 8: OverlayTransformer(color(), fraction: pick([0, 0.25, 0.5, 1]))
        case 9: BlendTransformer(pick(BlendMode.allCases), over: color(), opacity: pick([0, 0.5, 1]))
        case 10: BlurTransformer(radius: number())
        case 11: SharpenTransformer(radius: number(), amount: number())
        case 12:
            ColorControlsTransformer(
                brightness: pick([-1, 0, 0.1]), contrast: number(), saturation: number(), exposure: number())
        default: FlattenTransformer(color())
        }
    }
}

@Suite("Identifiers of transformers")  // S3-24
struct IdentifierTests {
    // KS-05, NK-21, S3-24
    @Test("different parameters never collide, equal ones always agree", arguments: [1, 2, 3, 4])
    func collisions(_ seed: UInt64) throws {
        var chance = Chance(state: seed)
        var known: [String: AnyHashable] = [:]
        for _ in 0..<4000 {
            let transformer = chance.transformer()
            let identifier = try #require(transformer.identifier)
            let value = AnyHashable(transformer)
            if let other = known[identifier] { #expect(other == value, "\(identifier)") }
            known[identifier] = value
        }
        #expect(known.count > 1500)
        #expect(Set(known.values).count == known.count)
    }

    // TR-09
    @Test("chains of different transformers never collide")
    func chains() throws {
        var chance = Chance(state: 77)
        var known: [String: [AnyHashable]] = [:]
        for _ in 0..<2000 {
            let chain = (0..<chance.below(4)).map { _ in chance.transformer() }
            let identifier = try #require(PipelineTransformer(chain).identifier)
            let value = chain.map { AnyHashable($0) }
            if let other = known[identifier] { #expect(other == value) }
            known[identifier] = value
        }
    }

    @Test("closures cannot pretend to be others", arguments: ["a|b", "a,b", "a)", "gray@1()", "%7c;", "ä\u{1}", ""])
    func escaping(_ name: String) throws {
        let pass: StandardTransformer = .custom(name) { bitmap, _ throws(ImageError) in bitmap }
        let identifier = try #require(pass.identifier)
        #expect(identifier.hasPrefix("custom@1(") && identifier.hasSuffix(")"))
        let inside = identifier.dropFirst(9).dropLast()
        #expect(!inside.contains { "|,()@\u{1}".contains($0) })
        for other in ["a|b", "a,b", "a)", "gray@1()", "%7c;", "ä\u{1}", ""] where other != name {
            #expect(StandardTransformer.custom(other) { bitmap, _ throws(ImageError) in bitmap }.identifier != identifier)
        }
    }

    // KS-05, S3-24
    @Test("identifiers are these, in every run and version")
    func golden() {
        let expected: [(any ImageTransformer, String)] = [
            (.resize(.fit(400, 300)), "resize@1(fit,400,300,,automatic,,-)"),
            (.resize(width: nil, height: 50), "resize@1(fit,,50,up,automatic,,-)"),
            (
                .resize(.fill(8, 8), filter: .box, linearLight: true, background: .black),
                "resize@1(fill,8,8,,box,linear,#000000ff)"
            ),
            (.crop(x: 1, y: -2, width: 3, height: 4), "crop@1(1,-2,3,4)"),
            (.crop(to: PixelSize(clamping: 5, 6), anchorX: 0), "anchor@1(5,6,0,0.5)"),
            (.rotate(degrees: -90.5, fit: false), "rotate@1(269.5,,-,cubic)"),
            (.flip(horizontal: true, vertical: true), "flip@1(hv)"),
            (.roundCorners(radius: 7.25, corners: [.topLeft, .topRight]), "round@1(7.25,3,,-)"),
            (
                .roundCorners(radius: .widthFraction(0.5), border: BorderStyle(width: 2, color: .red), background: .white),
                "round@1(0.5w,15,2#ff0000ff,#ffffffff)"
            ),
            (.circle, "circle@1(,-)"), (.tint(.blue), "tint@1(#0000ffff,sourceIn)"), (.blur(radius: 25), "blur@1(25)"),
            (.sharpen(), "sharpen@1(1,0.5)"), (.grayscale, "gray@1()"), (.blackAndWhite, "color@1(0,1,0,0.7)"),
            (.invert, "matrix@1(-1,0,0,1,0,-1,0,1,0,0,-1,1)"), (.overlay(.clear), "overlay@1(#00000000,0.5)"),
            (.flatten(), "flatten@1(#ffffffff)"), (.blend(.screen, over: .white), "blend@1(screen,#ffffffff,1)"),
            (.border(width: 3, color: .black), "round@1(0,15,3#000000ff,-)"), (.identity, ""),
        ]
        for (transformer, identifier) in expected { #expect(transformer.identifier == identifier) }
    }
}
