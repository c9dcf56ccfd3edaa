package import GannetCore

/// The part of an image's samples that lies within the image, in samples: all of them, or up to one less on each axis.
///
/// A decoder that scales to eighths rounds up if the size is not a multiple of eight: 1001 pixels become 126 samples, of which
/// 125.125 belong to the image. Code that counts the last sample fully shifts all others to the left and the top.
package struct SampledExtent: Hashable, Sendable {
    /// Where it begins, below 1: of a part of an image, the first sample may belong to its neighbour too.
    package let left: Double
    package let top: Double
    package let width: Double
    package let height: Double

    package init(left: Double = 0, top: Double = 0, width: Double, height: Double) {
        self.left = left
        self.top = top
        self.width = width
        self.height = height
    }

    /// All of them.
    package init(_ size: PixelSize) { self.init(width: Double(size.width), height: Double(size.height)) }
}
