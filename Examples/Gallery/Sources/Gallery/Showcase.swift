import Gannet
import GannetGTK

/// One image of every transition and every indicator, each at five moments, drawn without a window, for Documentation/pictures.
/// `swift run Gallery --showcase OUT.png PHOTOGRAPH PHOTOGRAPH`
enum Showcase {
    private static let moments = [0.0, 0.25, 0.5, 0.75, 1]
    private static let cell = 72

    private static let transitions: [ImageTransition.Kind] = [
        .fade, .crossfade, .slide(from: .left), .slide(from: .right), .slide(from: .top), .slide(from: .bottom),
        .flip(from: .left), .flip(from: .top), .curlUp, .curlDown,
    ]

    static func draw(_ photographs: [String]) async throws -> Bitmap {
        guard photographs.count == 2 else { throw ImageError(.misuse, "Name two photographs, the old and the new one.") }
        let old = try await photograph(photographs[0])
        let new = try await photograph(photographs[1])
        var rows: [[Bitmap]] = []
        for kind in transitions { rows.append(try await row(kind, old, new)) }
        let white = PixelColor(red: 255, green: 255, blue: 255)
        for indicator in [
            LoadIndicator.activity(diameter: 40, color: white), .bar(color: white),
            .image(try await photograph(photographs[1], side: 28)),
        ] {
            rows.append(try await row(indicator))
        }
        rows.append(try await row(.bar(color: white), fractions: moments))
        // Two columns of rows.
        let half = (rows.count + 1) / 2
        let step = cell + 4
        let width = (moments.count * step) * 2 + 12
        var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: width, half * step), alpha: .premultiplied))
        for (index, row) in rows.enumerated() {
            for (column, bitmap) in row.enumerated() {
                let left = (index / half) * (moments.count * step + 12) + column * step
                copy(bitmap, to: &buffer, left: left, top: index % half * step)
            }
        }
        return buffer.freeze()
    }

    private static func copy(_ bitmap: Bitmap, to buffer: inout PixelBuffer, left: Int, top: Int) {
        for y in 0..<bitmap.height {
            let from = bitmap.row(y)
            var to = buffer.mutableRow(top + y)
            for x in 0..<(bitmap.width * 4) { to[left * 4 + x] = from[x] }
        }
    }

    /// Its middle.
    private static func photograph(_ path: String, side: Int = cell) async throws -> DecodedImage {
        let request = ImageRequest(ImageSource(path), .fill(side, side), .transform(.crop(to: PixelSize(clamping: side, side))))
        return try await ImageManager.shared.image(for: request).image
    }

    @MainActor private static func row(_ kind: ImageTransition.Kind, _ old: DecodedImage, _ new: DecodedImage) async throws
        -> [Bitmap]
    {
        let request = ImageRequest(source: .data(ByteRope([0]), identifier: "showcase"))
        let view = HeadlessView(width: Double(cell), height: Double(cell), loader: Ready(image: new))
        view.presenter.defaults.placeholder = .image(old)
        view.presenter.defaults.transition = ImageTransition(kind, duration: .seconds(1), easing: .linear)
        _ = try view.draw(at: .zero)
        view.presenter.setImage(request)
        while view.presenter.image == nil { await Task.yield() }
        return try moments.map { try view.draw(at: .seconds(1) + .seconds($0)) }
    }

    /// At five moments, or with five fractions of the bytes received.
    @MainActor private static func row(_ indicator: LoadIndicator, fractions: [Double] = []) async throws -> [Bitmap] {
        var rows: [Bitmap] = []
        for (index, moment) in moments.enumerated() {
            let received = fractions.isEmpty ? nil : Int(fractions[index] * 100)
            let view = HeadlessView(width: Double(cell), height: Double(cell), loader: Ready(image: nil, received: received))
            view.presenter.defaults.placeholder = .color(PixelColor(red: 60, green: 64, blue: 72))
            view.presenter.defaults.indicator = indicator
            view.presenter.setImage(ImageRequest(source: .data(ByteRope([0]), identifier: "showcase")))
            if received != nil { while view.presenter.progress.expected == nil { await Task.yield() } }
            _ = try view.draw(at: .seconds(1))
            rows.append(try view.draw(at: .seconds(1) + .milliseconds(Int(moment * 800))))
        }
        return rows
    }

    /// Answers with an image, or never.
    private struct Ready: ImageLoading {
        let image: DecodedImage?
        var received: Int?

        func cachedImage(for request: ImageRequest) -> LoadedImage? { nil }

        func startLoad(_ request: ImageRequest) -> PresentedLoad {
            let (stream, continuation) = AsyncStream<ImageTaskEvent>.makeStream()
            if let received { continuation.yield(.progress(LoadProgress(received: received, expected: 100))) }
            if let image {
                continuation.yield(.finished(.success(LoadedImage(image: image, origin: .network))))
                continuation.finish()
            }
            return PresentedLoad(events: stream, cancel: { continuation.finish() })
        }
    }
}
