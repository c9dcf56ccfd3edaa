package import GannetCore
import Synchronization

/// Frames decoded from the file when they are asked for. Keeps one session, because decoders build a frame upon the one before.
package final class CodedFrameSource: WaitingFrameSource, BudgetHolder {
    private struct File {
        var bytes: ByteRope
        /// More may come: a session that is given up would have to begin anew for each frame that does.
        var isGrowing = false
    }
    private let file: Mutex<File>
    private let coder: any ImageCoder
    private let format: ImageFormat
    private let options: ResolvedDecodeOptions
    private let environment: DecodeEnvironment
    private let canvas: Int
    /// Held while a frame is decoded, so that two askers do not disturb one session. Nothing of the user's runs under it but his coder.
    private let session = Mutex<DecodeSession?>(nil)

    private struct Room: Sendable {
        /// Of the session there is.
        var part: ResourceBudget?
        /// For the next session.
        var granted: ResourceBudget.Reservation?
    }
    private let room = Mutex(Room())

    private struct Use: Sendable {
        /// Those who go through the frames now.
        var count = 0
        /// The session goes as soon as no frame is decoded.
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
        // The poster's own share ends with it.
        var environment = environment
        environment.budget = environment.budget.root
        self.environment = environment
        self.canvas = canvas
    }

    deinit { environment.budget.delist(self) }

    package func frame(at index: Int) throws(ImageError) -> Bitmap {
        // What is kept for the next frame others may need more.
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
                // Errors stick in a session; a cancelled one must not spoil the next asker's frame.
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

    /// The file as far as it came, if it still comes: what lies in it can be asked for from now on.
    func grow(to bytes: ByteRope) {
        file.withLock { file in
            file.isGrowing = true
            if bytes.count > file.bytes.count { file.bytes = bytes }
        }
    }

    /// Nothing more will come.
    func endGrowth() {
        file.withLock { $0.isGrowing = false }
        rest()
    }

    package func enter() { use.withLock { $0.count += 1 } }

    package func leave() {
        use.withLock { $0.count -= 1 }
        rest()
    }

    /// Gives the session back, unless its next frame is about to arrive. One of many may not take it from those who go on: theirs would
    /// have to begin anew.
    package func rest() {
        if file.withLock({ $0.isGrowing }) { return }
        let isOver = use.withLock { use in
            use.isOver = use.count == 0
            return use.isOver
        }
        if isOver { giveWay() }
    }

    /// Gives the session back, with its canvas. Does nothing while a frame is decoded.
    package func giveWay() {
        let old = session.withLockIfAvailable { session in
            session = nil
            return room.withLock { room in
                defer { room = Room() }
                return room
            }
        }
        // Given back here, under no lock.
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

    /// The file, and one canvas in the session.
    package var byteCount: Int { file.withLock { $0.bytes.count } + canvas }
}

/// Frames that several go through at once, and that others may leave no room for at the moment.
package protocol WaitingFrameSource: FrameSource {
    /// Somebody goes through the frames from now on. What is kept for him goes when the last one has left.
    func enter()
    /// Once for each ``enter()``.
    func leave()
    /// Returns when the frame that failed can be asked for again; false if room is not what it wanted. Throws `cancelled`.
    func waitForRoom(after error: ImageError) async throws(ImageError) -> Bool
}

/// One who goes through the frames of a source, as long as this object lives.
final class FrameUse: Sendable {
    private let source: any FrameSource

    init(_ source: any FrameSource) {
        self.source = source
        (source as? any WaitingFrameSource)?.enter()
    }

    deinit { if let shared = source as? any WaitingFrameSource { shared.leave() } else { source.rest() } }
}

extension AnimatedImage {
    /// Frame `index` and what `body` makes of it, on `executor`. Waits where other decodes leave no room.
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
