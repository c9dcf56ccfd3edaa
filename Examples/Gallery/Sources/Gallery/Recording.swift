import Gannet
import GannetGTK

/// Frames of a window, ten a second, and an animation of them. Equal frames become one longer frame.
@GTKActor struct Recording {
    private static let step = Duration.milliseconds(100)
    private static let maximumBytes = 1_500_000
    private let window: GTKWidget
    private var frames: [Bitmap] = []
    private var delays: [Duration] = []

    init(of window: GTKWidget) { self.window = window }

    mutating func film(_ time: Duration) async throws {
        var left = time
        while left > .zero {
            try await Task.sleep(for: Self.step)
            guard let frame = try await window.captureNextFrame() else { throw ImageError(.misuse, "The window was closed.") }
            if let last = frames.last, Self.areEqual(last, frame) {
                delays[delays.count - 1] += Self.step
            } else {
                frames.append(frame)
                delays.append(Self.step)
            }
            left -= Self.step
        }
    }

    func write(to path: String) async throws {
        guard let first = frames.first else { throw ImageError(.misuse, "Nothing was filmed.") }
        let metadata = ImageMetadata(format: .webp, originalSize: first.size)
        let animation = AnimatedImage(metadata: metadata, poster: first, loopCount: 0, delays: delays, frames: frames)
        let options = EncodeOptions(format: .webp, quality: 70, maximumFileSize: Self.maximumBytes, effort: 6)
        try await DecodedImage.animated(animation).write(to: path, options: options)
    }

    private static func areEqual(_ one: Bitmap, _ other: Bitmap) -> Bool {
        one.size == other.size
            && (0..<one.height).allSatisfy { y in
                let (left, right) = (one.row(y), other.row(y))
                return (0..<left.count).allSatisfy { left[$0] == right[$0] }
            }
    }
}
