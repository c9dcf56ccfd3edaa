import GannetCore

/// The blocks of memory behind one image, each with an identity, so that shared ones are counted once.
struct PixelCost {
    struct Part {
        var identity: ObjectIdentifier
        var bytes: Int
    }

    /// The still image, or an animation's first frame.
    var first: Part
    /// An animation's other frames, or its whole frame source. May contain a part twice.
    var rest: [Part]

    /// Calls an animation's frame source for its size: not under a lock.
    init(_ image: DecodedImage) {
        let bitmap = image.bitmap
        first = Part(identity: bitmap.identity, bytes: bitmap.byteCount)
        rest = []
        guard case .animated(let animation) = image else { return }
        if let array = animation.source as? FrameArray {
            rest = array.frames.map { Part(identity: $0.identity, bytes: $0.byteCount) }
        } else {
            rest = [Part(identity: ObjectIdentifier(animation), bytes: animation.sourceByteCount)]
        }
    }

    /// Upper bound: shared parts are counted each time.
    var total: Int {
        if rest.isEmpty { return first.bytes }
        var seen: Set<ObjectIdentifier> = [first.identity]
        return rest.reduce(first.bytes) { $0 + (seen.insert($1.identity).inserted ? $1.bytes : 0) }
    }
}

/// Reference counts of memory blocks, and the sum of their sizes.
struct SharedCosts {
    private struct Holders {
        var count: Int
        var bytes: Int
    }

    private var holders: [ObjectIdentifier: Holders] = [:]
    private(set) var bytes = 0

    mutating func add(_ cost: PixelCost) {
        add(cost.first)
        for part in cost.rest { add(part) }
    }

    /// Must equal the value that was added.
    mutating func subtract(_ cost: PixelCost) {
        subtract(cost.first)
        for part in cost.rest { subtract(part) }
    }

    mutating func removeAll() {
        holders = [:]
        bytes = 0
    }

    private mutating func add(_ part: PixelCost.Part) {
        if holders[part.identity]?.count == nil { bytes += part.bytes }
        holders[part.identity, default: Holders(count: 0, bytes: part.bytes)].count += 1
    }

    private mutating func subtract(_ part: PixelCost.Part) {
        guard var held = holders[part.identity] else { return }
        held.count -= 1
        if held.count == 0 {
            bytes -= held.bytes
            holders[part.identity] = nil
        } else {
            holders[part.identity] = held
        }
    }
}
