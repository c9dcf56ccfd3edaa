package import GannetCore

/// How much of a picture's samples lies within the picture, in samples: as many as there are, or up to one less on each axis.
///
/// A decoder that makes eighths of a size which is no multiple of eight rounds up: 1001 pixels become 126 samples of which
/// 125.125 are picture. Who takes all of the last one for picture squeezes the others to the left and the top.
package struct SampledExtent: Hashable, Sendable {
    package let width: Double
    package let height: Double

    package init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// All of them.
    package init(_ size: PixelSize) { self.init(width: Double(size.width), height: Double(size.height)) }
}
