package import GannetCore
package import GannetPlatform
import Synchronization

/// A frame source that decodes frames on demand. Keeps one session, because most decoders build each frame on the previous one.
package final class CodedFrameSource: WaitingFrameSource, BudgetHolder {
    private struct File {
        var bytes: ByteRope
        /// More bytes may arrive: without its session, each later frame would be decoded from the start.
        var isGrowing = false
    }
    private let file: Mutex<File>
    private let coder: any ImageCoder
    private let format: ImageFormat
    private let options: ResolvedDecodeOptions
    private let environment: DecodeEnvironment
    private let canvas: Int
    /// Held while a frame is decoded, to serialise its callers. Of user code, only the coder runs under it.
    private let session = Mutex<DecodeSession?>(nil)

    private struct Room: Sendable {
        /// Budget of the current session.
        var part: ResourceBudget?
        /// Reserved for the next session.
        var granted: ResourceBudget.Reservation?
    }
    private let room = Mutex(Room())

    private struct Use: Sendable {
        /// Current users of the frames.
        var count = 0
        /// Release the session as soon as no frame is being decoded.
        var isOver = false
    }
    private let use = Mutex(Use())

    init(
        bytes: ByteRope, coder: any ImageCoder, format: ImageFormat, options: ResolvedDecodeOptions,
        environment: DecodeEnvironment, canvas: Int
    ) {
        file = Mutex(File(bytes: bytes))
        self.coder = coder
        self.format = format
        var options = options
        options.coder = coder
        options.formatHint = format
        self.options = options
        // The poster's share ends with its session; use the root budget.
        var environment = environment
        environment.budget = environment.budget.root
        self.environment = environment
        self.canvas = canvas
    }

    deinit { environment.budget.delist(self) }

    package func frame(at index: Int) throws(ImageError) -> Bitmap {
        // Other decodes may need the memory kept for the next frame.
        defer { environment.budget.askHolders() }
        defer { if use.withLock({ $0.isOver }) { giveWay() } }
        return try session.withLock { session throws(ImageError) -> Bitmap in
            use.withLock { $0.isOver = false }
            do throws(ImageError) {
                let bytes = file.withLock { $0.bytes }
                if let session { try session.extend(to: bytes) } else { session = try open(bytes) }
                guard let session else { throw .cancelled(stage: .decode) }
                return try session.frame(index)
            } catch {
                // Errors stick in a session; a cancelled one must not fail the next caller's frame.
                session = nil
                let part = room.withLock { $0.part.take() }
                guard error.code != .cancelled, let bytes = part?.shortage else { throw error }
                var error = error
                error.underlying = BudgetShortage(bytes: bytes)
                throw error
            }
        }
    }

    private func open(_ bytes: ByteRope) throws(ImageError) -> DecodeSession {
        var environment = environment
        let budget = environment.budget
        let part = room.withLock { room in
            let part = budget.part(granted: room.granted.take())
            room.part = part
            return part
        }
        budget.enlist(self)
        environment.budget = part
        return try ImageDecoding(coders: CodersManager([coder]), environment: environment).open(bytes, options)
    }

    /// Sets the bytes that have arrived; their frames can be requested from now on.
    func grow(to bytes: ByteRope) {
        file.withLock { file in
            file.isGrowing = true
            if bytes.count > file.bytes.count { file.bytes = bytes }
        }
    }

    /// Marks the file as complete.
    func endGrowth() {
        file.withLock { $0.isGrowing = false }
        rest()
    }

    package func enter() { use.withLock { $0.count += 1 } }

    package func leave() {
        use.withLock { $0.count -= 1 }
        rest()
    }

    /// Releases the session, unless its next frame is about to arrive or others still use it: they would have to restart.
    package func rest() {
        if file.withLock({ $0.isGrowing }) { return }
        let isOver = use.withLock { use in
            use.isOver = use.count == 0
            return use.isOver
        }
        if isOver { giveWay() }
    }

    /// Releases the session and its canvas. Does nothing while a frame is decoded.
    package func giveWay() {
        let old = session.withLockIfAvailable { session in
            session = nil
            return room.withLock { room in
                defer { room = Room() }
                return room
            }
        }
        // Released here, outside the lock.
        withExtendedLifetime(old) {}
    }

    package var heldBytes: Int { room.withLock { ($0.part?.heldBytes ?? 0) + ($0.granted?.bytes ?? 0) } }

    package func waitForRoom(after error: ImageError) async throws(ImageError) -> Bool {
        guard let shortage = error.underlying as? BudgetShortage else { return false }
        let granted = try await environment.budget.reserveWhenFree(shortage.bytes)
        let old = room.withLock { room in
            defer { room.granted = granted }
            return room.granted
        }
        withExtendedLifetime(old) {}
        return true
    }

    /// Bytes of the file and of the session's canvas.
    package var byteCount: Int { file.withLock { $0.bytes.count } + canvas }
}

/// A frame source with several concurrent users, which may have to wait for memory.
package protocol WaitingFrameSource: FrameSource {
    /// Registers a user of the frames. Memory kept for users is released when none is left.
    func enter()
    /// Called once for each ``enter()``.
    func leave()
    /// Returns when the failed frame can be requested again; false if it did not fail for lack of room. Throws `cancelled`.
    func waitForRoom(after error: ImageError) async throws(ImageError) -> Bool
}

/// One use of a source's frames, for the life of this object.
package final class FrameUse: Sendable {
    private let source: any FrameSource

    package init(_ source: any FrameSource) {
        self.source = source
        (source as? any WaitingFrameSource)?.enter()
    }

    deinit { if let shared = source as? any WaitingFrameSource { shared.leave() } else { source.rest() } }
}

extension AnimatedImage {
    /// Decodes frame `index` and applies `body`, on `executor`. Waits while other decodes leave no room.
    package func frame<R: Sendable>(
        at index: Int, on executor: BlockingExecutor, _ body: @escaping @Sendable (Bitmap) throws(ImageError) -> R
    ) async throws(ImageError) -> R {
        while true {
            do throws(ImageError) {
                return try await executor.run { () throws(ImageError) -> R in try body(try self.blockingFrame(at: index)) }
            } catch {
                guard let waiting = source as? any WaitingFrameSource, try await waiting.waitForRoom(after: error) else {
                    throw error
                }
            }
        }
    }
}
