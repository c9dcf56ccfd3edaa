#if CommandLine
    import GannetCore
    import GannetPlatform
    import Glibc
    import Synchronization

    /// One line of a worker's input.
    struct JobLine: Sendable {
        static let maximumBytes = 1 << 20

        /// Counted from 1, empty lines too.
        var number: Int
        /// The line without its line feed; nil if it has more than ``maximumBytes``.
        var bytes: [UInt8]?
    }

    /// Reads lines only when they are requested, so that a program that writes them waits while the worker is busy. At most
    /// ``chunk`` bytes are read ahead.
    final class JobLines: Sendable {
        static let chunk = 4096

        enum Next: Sendable {
            case line(JobLine)
            case end
            /// The task was cancelled.
            case stopped
            case failed(ImageError)
        }

        private struct State {
            /// Bytes that were read. Those before `begin` were returned; those before `searched` have no line feed after `begin`.
            var buffer: [UInt8] = []
            var begin = 0
            var searched = 0
            /// Lines that were returned or were empty.
            var number = 0
            var isOver = false
            /// The beginning of the current line was discarded.
            var isTooLong = false
        }

        private let descriptor: Int32
        /// Held while a line is read: there is one reader.
        private let state = Mutex(State())
        /// A byte in it ends a read that waits for input.
        private let wire: (reader: Int32, writer: Int32)

        init(descriptor: Int32) {
            self.descriptor = descriptor
            var ends: [Int32] = [-1, -1]
            let failure = pipe(&ends)
            precondition(failure == 0, "no pipe could be made: \(errno)")
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            wire = (ends[0], ends[1])
        }

        deinit {
            close(wire.reader)
            close(wire.writer)
        }

        /// The next line that is not empty. One caller at a time. Returns `stopped` soon after the task is cancelled.
        func next() async -> Next {
            await withTaskCancellationHandler {
                do throws(ImageError) {
                    return try await BlockingExecutor.files.run { () throws(ImageError) in
                        self.state.withLock { self.next(&$0) }
                    }
                } catch { return .failed(error) }
            } onCancel: {
                var byte: UInt8 = 0
                _ = write(wire.writer, &byte, 1)
            }
        }

        private func next(_ state: inout State) -> Next {
            while true {
                if let line = Self.take(&state) {
                    if line.bytes?.allSatisfy({ $0 == 32 || $0 == 9 || $0 == 13 }) != true { return .line(line) }
                    continue
                }
                if state.isOver { return .end }
                if let other = fill(&state) { return other }
            }
        }

        /// A line that was read completely; at the end of the input also one without a line feed.
        private static func take(_ state: inout State) -> JobLine? {
            let end: Int
            if let found = state.buffer[state.searched...].firstIndex(of: 10) {
                end = found
            } else if state.isOver, state.begin < state.buffer.count || state.isTooLong {
                end = state.buffer.count
            } else {
                return nil
            }
            state.number += 1
            let isTooLong = state.isTooLong || end - state.begin > JobLine.maximumBytes
            let line = JobLine(number: state.number, bytes: isTooLong ? nil : Array(state.buffer[state.begin..<end]))
            state.begin = min(end + 1, state.buffer.count)
            state.searched = state.begin
            state.isTooLong = false
            return line
        }

        /// Reads more of a line that is not complete; nil, or why there is nothing more to read.
        private func fill(_ state: inout State) -> Next? {
            if state.buffer.count - state.begin > JobLine.maximumBytes { state.isTooLong = true }
            state.buffer.removeFirst(state.isTooLong ? state.buffer.count : state.begin)
            state.begin = 0
            state.searched = state.buffer.count
            var ready = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wire.reader, events: Int16(POLLIN), revents: 0),
            ]
            while poll(&ready, 2, -1) < 0, errno == EINTR {}
            if ready[1].revents != 0 { return .stopped }
            var bytes = [UInt8](repeating: 0, count: Self.chunk)
            let count = read(descriptor, &bytes, bytes.count)
            if count > 0 {
                state.buffer += bytes[..<count]
            } else if count == 0 {
                state.isOver = true
            } else if errno != EINTR, errno != EAGAIN {
                return .failed(
                    ImageError(.io, stage: .load, "Standard input cannot be read: \(String(cString: strerror(errno)))."))
            }
            return nil
        }
    }
#endif
