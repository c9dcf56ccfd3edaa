#if CommandLine && HTTP
    import Foundation
    import GannetCommandTestSupport
    import GannetCore
    import GannetPlatform
    import GannetTesting
    import Glibc
    import Synchronization

    /// A running `gannet-lab http-bridge`: writes lines as they come, and returns each answer to the task that waits for it.
    final class BridgeProcess: Sendable {
        typealias Question = ConformanceChecker.Question
        typealias Reply = ConformanceChecker.Reply

        private struct State {
            var count = 0
            var waiting: [Int: CheckedContinuation<Reply, any Error>] = [:]
            var isOver = false
        }

        private final class Shared: Sendable {
            /// Held while a line is written: lines of several tasks must not mix.
            let state = Mutex(State())
        }

        private let shared = Shared()
        private let tool: Tool
        private let process: pid_t
        private let input: FileHandle

        init(isShared: Bool) throws {
            tool = try Tool()
            let (lines, answers) = (Pipe(), Pipe())
            let ends = (lines.fileHandleForReading.fileDescriptor, answers.fileHandleForWriting.fileDescriptor)
            // The process must not hold its own input open.
            for handle in [lines.fileHandleForWriting, answers.fileHandleForReading] {
                _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
            }
            process = try tool.spawn(["http-bridge"] + (isShared ? ["--shared"] : []), program: Tool.lab) { actions in
                posix_spawn_file_actions_adddup2(&actions, ends.0, 0)
                posix_spawn_file_actions_adddup2(&actions, ends.1, 1)
                posix_spawn_file_actions_addclose(&actions, ends.0)
                posix_spawn_file_actions_addclose(&actions, ends.1)
            }
            try lines.fileHandleForReading.close()
            try answers.fileHandleForWriting.close()
            input = lines.fileHandleForWriting
            let output = answers.fileHandleForReading
            Thread { [shared] in Self.read(output, shared) }.start()
        }

        /// Without input it ends.
        deinit { try? input.close() }

        func ask(_ question: Question) async throws -> Reply {
            try await withCheckedThrowingContinuation { continuation in
                let failure = shared.state.withLock { state -> (any Error)? in
                    guard !state.isOver else { return ImageError(.io, "The bridge has ended.") }
                    state.count += 1
                    var question = question
                    question.n = state.count
                    do {
                        try input.write(contentsOf: try JSONEncoder().encode(question) + [10])
                        state.waiting[question.n] = continuation
                        return nil
                    } catch { return error }
                }
                if let failure { continuation.resume(throwing: failure) }
            }
        }

        /// Ends its input, and gives its exit code.
        func finish() async throws -> Int32 {
            try input.close()
            let process = process
            return try await BlockingExecutor.files.run { () throws(ImageError) in Tool.status(of: process) }
        }

        private static func read(_ output: FileHandle, _ shared: Shared) {
            var rest = Data()
            // A file handle's own read waits until all requested bytes are there.
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = Glibc.read(output.fileDescriptor, &chunk, chunk.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                rest += chunk[..<count]
                while let end = rest.firstIndex(of: 10) {
                    let line = rest[..<end]
                    rest = Data(rest[(end + 1)...])
                    guard let reply = try? JSONDecoder().decode(Reply.self, from: line) else { continue }
                    shared.state.withLock { $0.waiting.removeValue(forKey: reply.n) }?.resume(returning: reply)
                }
            }
            let waiting = shared.state.withLock { state in
                state.isOver = true
                defer { state.waiting = [:] }
                return state.waiting
            }
            for (n, continuation) in waiting { continuation.resume(throwing: ImageError(.io, "No answer to line \(n).")) }
        }
    }
#endif
