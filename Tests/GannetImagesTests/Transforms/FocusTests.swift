import GannetCore
import GannetImages
import GannetKernels
import Testing

@Suite("The part that fill keeps")
struct FocusTests {
    @Test("A focus is in the middle of the crop, or as close to it as the edges allow")
    func points() {
        func crop(_ x: Double, _ y: Double, of size: PixelSize = PixelSize(clamping: 400, 100)) -> PixelRect {
            TargetSize.fill(100, 100).focused(on: .point(x: x, y: y)).plan(for: size).crop
        }
        #expect(crop(0, 0).x == 0 && crop(1, 1).x == 300 && crop(0.5, 0.5).x == 150)
        #expect(crop(0.25, 0.5).x == 50 && crop(0.1, 0.5).x == 0 && crop(0.95, 0.5).x == 300)
        #expect(crop(-3, 0).x == 0 && crop(.infinity, 0).x == 300 && crop(.nan, 0).x == 150)
        let tall = PixelSize(clamping: 100, 401)
        #expect(crop(0.5, 0, of: tall).y == 0 && crop(0.5, 1, of: tall).y == 301 && crop(0.5, 0.5, of: tall).y == 150)
    }

    @Test("Each focus has a key of its own, and the middle has the one that it always had")
    func keys() {
        func key(_ target: TargetSize) -> String {
            var options = ResolvedDecodeOptions()
            options.target = .size(target)
            return options.keyText
        }
        let fill = TargetSize.fill(10, 20)
        let others = [TargetSize.Focus.point(x: 0, y: 0.5), .point(x: 1, y: 0.5), .attention].map { fill.focused(on: $0) }
        #expect(Set((others + [fill]).map(key)).count == 4)
        #expect(Set((others + [fill]).map { ResizeTransformer($0).identifier }).count == 4)
        #expect(key(fill) == key(fill.focused(on: .center)) && !key(fill).contains("@"))
        #expect(key(TargetSize.fit(10, 20).focused(on: .attention)) == key(.fit(10, 20)))
    }

    /// A patch of skin, of strong colour or of edges on an even ground, at each place in turn.
    @Test("Attention finds what stands out", arguments: [0, 1, 2], [0.1, 0.5, 0.85])
    func attention(kind: Int, place: Double) throws {
        let ground = PixelColor(red: 96, green: 120, blue: 110)
        let middle = Int(place * 400)
        let wide = try Drawing.picture(400, 100) { x, y in
            guard abs(x - middle) < 25, abs(y - 50) < 25 else { return ground }
            switch kind {
            case 0: return PixelColor(red: 224, green: 172, blue: 140)
            case 1: return PixelColor(red: 230, green: 20, blue: 40)
            default: return (x / 14 + y / 14) & 1 == 0 ? .white : PixelColor(red: 40, green: 60, blue: 50)
            }
        }
        let kept = try wide.resized(TargetSize.fill(100, 100).focused(on: .attention))
        #expect(kept.size == PixelSize(clamping: 100, 100))
        var changed = 0
        for y in 0..<100 { for x in 0..<100 where kept.channels(x, y)[0] != ground.red { changed += 1 } }
        // The patch has 49 × 49 pixels; some of a checkerboard may be as red as the ground.
        #expect(changed >= 49 * 49 * 9 / 10, "\(changed)")
        // At half the size, by the decoder's way too.
        let tall = try oriented(wide, .right)
        let other = try tall.resized(TargetSize.fill(50, 50).focused(on: .attention))
        #expect(other.size == PixelSize(clamping: 50, 50))
    }

    @Test("A flat image and one with a single column have an attention too")
    func nothingStandsOut() throws {
        let flat = try Drawing.flat(300, 10, PixelColor(red: 9, green: 9, blue: 9))
        #expect(try flat.resized(TargetSize.fill(10, 10).focused(on: .attention)).size == PixelSize(clamping: 10, 10))
        let line = try Drawing.varied(1, 300)
        #expect(try line.resized(TargetSize.fill(1, 10).focused(on: .attention)).size == PixelSize(clamping: 1, 10))
    }
}
