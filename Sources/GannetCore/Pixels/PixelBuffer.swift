/// Pixels that are being written: one owner, no copies. ``freeze()`` turns them into an immutable ``Bitmap`` without copying.
public struct PixelBuffer: ~Copyable, Sendable {
    /// Fixed except for its alpha mode.
    public private(set) var layout: PixelLayout
    package let memory: PixelMemory

    /// Contents are undefined until written. Throws `limitExceeded` if there is no memory.
    public init(_ layout: PixelLayout, pool: PixelPool = .shared) throws(ImageError) {
        self.layout = layout
        self.memory = try pool.allocate(layout.byteCount)
    }

    /// Pixels in memory of another owner: `layout.byteCount` bytes, 64-byte aligned, which must outlive the buffer and its bitmap.
    package init(_ layout: PixelLayout, at base: UnsafeMutableRawPointer) {
        self.layout = layout
        self.memory = PixelMemory(base: base, capacity: layout.byteCount, pool: nil)
    }

    /// Pixels.
    public var size: PixelSize { layout.size }
    /// Distance between rows, at least `width × bytesPerPixel` and a multiple of 16.
    public var bytesPerRow: Int { layout.bytesPerRow }

    /// Sets the meaning of the alpha channel after a conversion in place.
    public mutating func setAlpha(_ alpha: AlphaMode) { layout.alpha = alpha }

    /// Sets the meaning of the numbers after a conversion in place.
    package mutating func setDynamicRange(_ range: DynamicRange) { layout.dynamicRange = range }

    /// Row `y` (0 is the top): `width × bytesPerPixel` bytes, for reading.
    @_lifetime(borrow self)
    public func row(_ y: Int) -> Span<UInt8> {
        precondition(y >= 0 && y < layout.size.height, "row outside the image")
        let start = memory.base.advanced(by: y * layout.bytesPerRow).assumingMemoryBound(to: UInt8.self)
        let span = Span(_unsafeStart: UnsafePointer(start), count: layout.size.width * layout.format.bytesPerPixel)
        return _overrideLifetime(span, borrowing: self)
    }

    /// Row `y` (0 is the top): `width × bytesPerPixel` bytes, for writing.
    @_lifetime(&self)
    public mutating func mutableRow(_ y: Int) -> MutableSpan<UInt8> {
        precondition(y >= 0 && y < layout.size.height, "row outside the image")
        let start = memory.base.advanced(by: y * layout.bytesPerRow).assumingMemoryBound(to: UInt8.self)
        let span = MutableSpan(_unsafeStart: start, count: layout.size.width * layout.format.bytesPerPixel)
        return _overrideLifetime(span, mutating: &self)
    }

    /// Row `y` of an `rgba8` image as whole pixels: red in the lowest byte on little-endian machines.
    @_lifetime(&self)
    public mutating func mutablePixels(_ y: Int) -> MutableSpan<UInt32> {
        precondition(y >= 0 && y < layout.size.height && layout.format == .rgba8, "row outside the image or not rgba8")
        let start = memory.base.advanced(by: y * layout.bytesPerRow).assumingMemoryBound(to: UInt32.self)
        let span = MutableSpan(_unsafeStart: start, count: layout.size.width)
        return _overrideLifetime(span, mutating: &self)
    }

    /// All rows with their stride, for C. Valid until the closure ends; the closure must not keep the pointer.
    package mutating func withUnsafeRows<R, E: Error>(
        _ body: (_ base: UnsafeMutablePointer<UInt8>, _ bytesPerRow: Int) throws(E) -> R
    ) throws(E) -> R {
        try body(memory.base.assumingMemoryBound(to: UInt8.self), layout.bytesPerRow)
    }

    /// Copies row `from` of a buffer of the same width and format into row `y`.
    package mutating func copyRow(_ y: Int, from other: borrowing PixelBuffer, _ from: Int) {
        let source = other.row(from)
        var target = mutableRow(y)
        precondition(source.count == target.count, "a row of another width or format")
        for index in source.indices { target[index] = source[index] }
    }

    /// Sets every byte, padding included.
    public mutating func fill(_ byte: UInt8) {
        memory.base.initializeMemory(as: UInt8.self, repeating: byte, count: layout.byteCount)
    }

    /// A second buffer with the same contents. Cost: one copy of the pixels.
    public func copy(pool: PixelPool = .shared) throws(ImageError) -> PixelBuffer {
        let other = try PixelBuffer(layout, pool: pool)
        other.memory.base.copyMemory(from: memory.base, byteCount: layout.byteCount)
        return other
    }

    /// The same pixels, now immutable and shared. No copy.
    public consuming func freeze() -> Bitmap { freeze(with: nil) }

    /// The same with the gain map that belongs to these pixels.
    package consuming func freeze(with gainMap: GainMap?) -> Bitmap {
        let layout = layout
        return Bitmap(storage: BitmapStorage(layout: layout, memory: memory, gainMap: gainMap))
    }
}
