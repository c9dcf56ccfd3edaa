/// An image in memory: immutable, shared, safe to read from any thread.
public struct Bitmap: Sendable {
    package let storage: BitmapStorage

    package init(storage: BitmapStorage) { self.storage = storage }

    /// Size, pixel format, alpha mode and row stride in memory.
    public var layout: PixelLayout { storage.layout }
    /// Pixels.
    public var size: PixelSize { storage.layout.size }
    /// Pixels.
    public var width: Int { storage.layout.size.width }
    /// Pixels.
    public var height: Int { storage.layout.size.height }
    /// How to read the numbers: as sRGB, or as PQ with light that is brighter than white.
    public var dynamicRange: DynamicRange { storage.layout.dynamicRange }
    /// Distance between rows, at least `width × bytesPerPixel` and a multiple of 16.
    public var bytesPerRow: Int { storage.layout.bytesPerRow }

    /// Bytes of memory that this image holds.
    public var byteCount: Int { storage.memory.capacity + (storage.gainMap?.byteCount ?? 0) }

    /// Equal for two values if and only if they share their pixels.
    public var identity: ObjectIdentifier { ObjectIdentifier(storage) }

    /// Row `y` (0 is the top): `width × bytesPerPixel` bytes.
    @_lifetime(borrow self)
    public func row(_ y: Int) -> Span<UInt8> {
        let layout = storage.layout
        precondition(y >= 0 && y < layout.size.height, "row outside the image")
        let start = storage.memory.base.advanced(by: y * layout.bytesPerRow).assumingMemoryBound(to: UInt8.self)
        let span = Span(_unsafeStart: UnsafePointer(start), count: layout.size.width * layout.format.bytesPerPixel)
        return _overrideLifetime(span, borrowing: self)
    }

    /// All rows with their stride, for C. Valid until the closure ends; the closure must not keep the pointer.
    package func withUnsafeRows<R, E: Error>(
        _ body: (_ base: UnsafePointer<UInt8>, _ bytesPerRow: Int) throws(E) -> R
    ) throws(E) -> R {
        try body(UnsafePointer(storage.memory.base.assumingMemoryBound(to: UInt8.self)), layout.bytesPerRow)
    }

    /// A writable copy. Cost: one copy of the pixels.
    public func mutableCopy(pool: PixelPool = .shared) throws(ImageError) -> PixelBuffer {
        let buffer = try PixelBuffer(layout, pool: pool)
        buffer.memory.base.copyMemory(from: storage.memory.base, byteCount: layout.byteCount)
        return buffer
    }

    /// The bytes of all rows without padding, top to bottom.
    public func packedBytes() -> [UInt8] {
        let rowBytes = width * layout.format.bytesPerPixel
        return [UInt8](unsafeUninitializedCapacity: rowBytes * height) { target, count in
            guard let base = target.baseAddress else { return }
            for y in 0..<height {
                UnsafeMutableRawPointer(base + y * rowBytes)
                    .copyMemory(from: storage.memory.base.advanced(by: y * bytesPerRow), byteCount: rowBytes)
            }
            count = rowBytes * height
        }
    }
}

/// The storage that all copies of one ``Bitmap`` share.
package final class BitmapStorage: Sendable {
    package let layout: PixelLayout
    package let memory: PixelMemory
    package let gainMap: GainMap?

    init(layout: PixelLayout, memory: consuming PixelMemory, gainMap: GainMap?) {
        self.layout = layout
        self.memory = memory
        self.gainMap = gainMap
    }
}
