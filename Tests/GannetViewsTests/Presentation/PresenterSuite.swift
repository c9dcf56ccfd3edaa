import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import GannetViews

/// Shared by the suites of presenters: two requests, a headless view over a loader that answers by hand, images and placeholders
/// of one colour, and the drawn pixels.
@MainActor protocol PresenterSuite {
    var loader: ManualLoader { get }
}

extension PresenterSuite {
    var a: ImageRequest { "https://example.org/a.png" }
    var b: ImageRequest { "https://example.org/b.png" }

    var red: [Int] { [200, 0, 0, 255] }
    var green: [Int] { [0, 200, 0, 255] }
    var blue: [Int] { [0, 0, 200, 255] }
    var clear: [Int] { [0, 0, 0, 0] }

    func view(_ width: Double = 8, _ height: Double = 8) -> HeadlessView {
        HeadlessView(width: width, height: height, loader: loader)
    }

    func pixel(_ view: HeadlessView, _ now: Duration = .zero, x: Int = 4, y: Int = 4) throws -> [Int] {
        let bitmap = try view.draw(at: now)
        let row = bitmap.row(y)
        return (0..<4).map { Int(row[x * 4 + $0]) }
    }

    func picture(_ color: [Int]) throws -> DecodedImage {
        still(try solid(UInt8(color[0]), UInt8(color[1]), UInt8(color[2])))
    }

    func placeholder(_ color: [Int]) -> ImagePlaceholder {
        .color(PixelColor(red: UInt8(color[0]), green: UInt8(color[1]), blue: UInt8(color[2])))
    }
}
