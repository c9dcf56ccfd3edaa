import Synchronization

/// A coder whose decoders may be ``RegionDecoder``s.
package protocol RegionCoder: ImageCoder {}

/// A decoder that can decode ``ResolvedDecodeOptions/region`` without the rest of the image.
///
/// Other decoders are never told of a region: it is cut out of their pixels.
package protocol RegionDecoder: ImageDecoder {
    /// Whether ``ImageDecoder/outputLayout`` and the pixels are those of the region alone. False without a region, before the header is
    /// known, and for files that are decoded as a whole; another decoder is then asked for the whole.
    var decodesRegion: Bool { get }
}

/// What decoders of one file have learnt of it, for those of later regions. A decoder that is given none begins anew each time.
///
/// It counts in the decode budget as long as it is kept, and gives way to decodes that wait: the next region then begins anew.
package final class RegionMemory: BudgetHolder {
    /// For the pixels of regions. They have many sizes, so that a pool for images of one size would fill with pieces that nothing uses again.
    package let pool: PixelPool
    private let kept = Mutex<(any RegionKnowledge)?>(nil)
    private let budget: ResourceBudget

    /// - Parameter idle: what the pool of whole images keeps. This one keeps no more, and 16 MiB at most.
    package init(budget: ResourceBudget = .unlimited, idle: Int = .max) {
        self.budget = budget.root
        pool = PixelPool(maximumIdleBytes: min(16 << 20, idle))
    }

    deinit { budget.delist(self) }

    /// The bytes that may be kept: little beside what decodes need.
    package var limit: Int { min(32 << 20, budget.capacity / 8) }

    /// What was kept, or is now made. Nil: there is nothing of this kind.
    package func value<Value: RegionKnowledge>(or make: () -> Value?) -> Value? {
        kept.withLock { kept in
            if kept == nil, let made = make() {
                kept = made
                budget.enlist(self)
            }
            return kept as? Value
        }
    }

    /// Bytes of the budget for as long as the result is held. Nil: they are not free now, or more than may be kept.
    package func reserve(_ bytes: Int) -> ResourceBudget.Reservation? {
        bytes <= limit ? try? budget.reserveInTurn(bytes, priority: .veryLow) : nil
    }

    package var heldBytes: Int { kept.withLock { $0?.heldBytes ?? 0 } }

    package func giveWay() {
        let old = kept.withLockIfAvailable { kept in
            defer { kept = nil }
            return kept
        }
        // Released here, outside the lock; a decode that works with it now still holds it.
        withExtendedLifetime(old) {}
        pool.trim()
    }
}

/// What was learnt of a file.
package protocol RegionKnowledge: AnyObject, Sendable {
    /// Bytes that it has reserved.
    var heldBytes: Int { get }
}
