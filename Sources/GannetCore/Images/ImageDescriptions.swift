// One-line descriptions of images and bytes, for `print`.

extension PixelLayout: CustomStringConvertible {
    /// `400×267 rgba8 premultiplied`.
    public var description: String { "\(size) \(format) \(alpha)" }
}

extension Bitmap: CustomStringConvertible {
    /// `400×267 rgba8 premultiplied`.
    public var description: String { layout.description }
}

extension ImageMetadata: CustomStringConvertible {
    /// `jpeg, original 4000×3000`; then `vector`, and `preview` or `partial`, if they apply.
    public var description: String {
        var parts = ["original \(originalSize)"]
        if let format { parts.insert(format.identifier, at: 0) }
        return (parts + remarks).joined(separator: ", ")
    }

    fileprivate var remarks: [String] {
        var remarks = isVector ? ["vector"] : []
        if isArriving { remarks.append("preview") } else if isPartial { remarks.append("partial") }
        return remarks
    }
}

extension DecodedImage: CustomStringConvertible {
    /// `400×267 jpeg`; for an animation `320×240 gif, 24 frames`. Then the remarks of its metadata.
    public var description: String {
        let metadata = metadata
        let first = metadata.format.map { "\(size) \($0)" } ?? "\(size)"
        let frames = isAnimated ? ["\(frameCount) frames"] : []
        return ([first] + frames + metadata.remarks).joined(separator: ", ")
    }
}

extension AnimatedImage: CustomStringConvertible {
    /// `320×240 gif, 24 frames`.
    public var description: String { DecodedImage.animated(self).description }
}

extension LoadedImage: CustomStringConvertible {
    /// `400×267 jpeg, from network`; `joined` if another request did the work.
    public var description: String { "\(image), from \(origin)" + (wasJoined ? ", joined" : "") }
}

extension ByteRope: CustomStringConvertible {
    /// `4096 bytes`, or `4096 bytes so far`.
    public var description: String { "\(count) bytes" + (isComplete ? "" : " so far") }
}

extension EncodedImage: CustomStringConvertible {
    /// `jpeg, 4096 bytes`.
    public var description: String { "\(format?.identifier ?? "unknown format"), \(bytes)" }
}
