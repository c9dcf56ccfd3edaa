public import GannetCore

/// A transformer that comes with Gannet. Made by the static functions of ``ImageTransformer``: `.blur(radius: 4)`, `.circle`,
/// `.resize(.fit(400, 300))`, `.pipeline(.crop(to: size), .grayscale)`.
public struct StandardTransformer: ImageTransformer {
    package let base: any ImageTransformer

    init(_ base: any ImageTransformer) { self.base = base }

    public var identifier: String? { base.identifier }

    public var needsWholeImage: Bool { base.needsWholeImage }

    public func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        try base.transform(bitmap, context: context)
    }
}

extension StandardTransformer: GainMapTransformer {
    package var keepsGainMap: Bool { [base].dropsGainMap == nil }
}

extension [any ImageTransformer] {
    /// The first whose result has no gain map; nil: all keep it.
    var dropsGainMap: (any ImageTransformer)? { first { ($0 as? any GainMapTransformer)?.keepsGainMap != true } }
}
