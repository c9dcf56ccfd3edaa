#if CommandLine
    import Foundation
    import GannetCommandTestSupport
    import GannetCore
    import GannetPlatform
    import Glibc

    /// A running `gannet work` between two pipes.
    final class WorkerProcess: Sendable {
        let process: pid_t
        /// Nonblocking: a full pipe refuses a line.
        private let input: FileHandle
        private let output: FileHandle

        /// How much each pipe takes before its writer has to wait.
        init(_ tool: Tool, _ arguments: [String], inputBytes: Int32 = 1 << 16, outputBytes: Int32 = 1 << 16) throws {
            let (lines, answers) = (Pipe(), Pipe())
            let ends = (lines.fileHandleForReading.fileDescriptor, answers.fileHandleForWriting.fileDescriptor)
            for (handle, bytes) in [(lines.fileHandleForWriting, inputBytes), (answers.fileHandleForReading, outputBytes)] {
                _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
                // F_SETPIPE_SZ, which the headers only define with _GNU_SOURCE.
                _ = fcntl(handle.fileDescriptor, 1031, bytes)
            }
            _ = fcntl(lines.fileHandleForWriting.fileDescriptor, F_SETFL, O_NONBLOCK)
            process = try tool.spawn(["work"] + arguments) { actions in
                posix_spawn_file_actions_adddup2(&actions, ends.0, 0)
                posix_spawn_file_actions_adddup2(&actions, ends.1, 1)
                posix_spawn_file_actions_addclose(&actions, ends.0)
                posix_spawn_file_actions_addclose(&actions, ends.1)
            }
            try lines.fileHandleForReading.close()
            try answers.fileHandleForWriting.close()
            (input, output) = (lines.fileHandleForWriting, answers.fileHandleForReading)
        }

        /// False if the pipe has no room for the line.
        func offer(_ line: String) -> Bool {
            let bytes = Array((line + "\n").utf8)
            return write(input.fileDescriptor, bytes, bytes.count) == bytes.count
        }

        func endInput() throws { try input.close() }

        /// Bytes of answers in the pipe.
        var unread: Int {
            var count: Int32 = 0
            // FIONREAD
            _ = ioctl(output.fileDescriptor, 0x541B, &count)
            return Int(count)
        }

        /// The next `count` answers, fewer if the worker ends before.
        func answers(_ count: Int = .max) async throws -> [[String: Any]] {
            let output = output
            let lines = try await BlockingExecutor.files.run { () throws(ImageError) -> [[UInt8]] in
                var lines: [[UInt8]] = []
                var line: [UInt8] = []
                var byte: UInt8 = 0
                while lines.count < count, read(output.fileDescriptor, &byte, 1) == 1 {
                    if byte != 10 {
                        line.append(byte)
                    } else {
                        lines.append(line)
                        line = []
                    }
                }
                return lines
            }
            return lines.compactMap { (try? JSONSerialization.jsonObject(with: Data($0))) as? [String: Any] }
        }

        func signal(_ number: Int32) { kill(process, number) }

        /// Waits for its end; see ``Tool/status(of:)``.
        func status() async throws -> Int32 {
            let process = process
            return try await BlockingExecutor.files.run { () throws(ImageError) in Tool.status(of: process) }
        }
    }
#endif
