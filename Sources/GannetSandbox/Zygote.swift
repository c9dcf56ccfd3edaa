import CGannetSandbox
import GannetCore
import Glibc
import Synchronization

/// The zygote: a small process that workers are forked from. Ends with this value, and all workers with it.
final class Zygote: Sendable {
    /// For tests that look at it.
    let pid: pid_t
    private let process: Int32
    private let channel: Int32
    /// Held during one request and its reply: about a millisecond, except while the process starts.
    private let turn = Mutex(())

    init() throws(ImageError) {
        var channel: Int32 = -1
        var pid: pid_t = 0
        var process: Int32 = -1
        let failure = gannet_sandbox_zygote_start(&channel, &pid, &process)
        if failure == ENOTSUP { throw SandboxUnavailable.inLibrary() }
        guard failure == 0 else { throw SandboxUnavailable.system(failure) }
        (self.channel, self.pid, self.process) = (channel, pid, process)
    }

    deinit { gannet_sandbox_zygote_end(channel, process) }

    /// Returns 0 or an error number.
    func fork(_ level: gannet_sandbox_level, _ socket: Int32, _ input: Int32, _ output: Int32, _ pid: inout pid_t) -> Int32 {
        turn.withLock { _ in gannet_sandbox_fork(channel, level, socket, input, output, &pid) }
    }

    /// Returns 0 or an error number.
    func run(
        _ words: [UInt8], memory: Int, _ input: Int32, output: inout Int32, messages: inout Int32, _ pid: inout pid_t
    ) -> Int32 {
        // The words are read during the call only.
        words.withUnsafeBytes { words in
            let start = words.baseAddress?.assumingMemoryBound(to: CChar.self)
            return turn.withLock { _ in
                gannet_sandbox_run(channel, start, words.count, UInt64(memory), input, &output, &messages, &pid)
            }
        }
    }

    /// The worker's status as waitpid gives it; nil if it is unknown.
    func reap(_ pid: pid_t, kills: Bool) -> Int32? {
        var status: Int32 = 0
        let failure = turn.withLock { _ in gannet_sandbox_reap(channel, pid, kills ? 1 : 0, &status) }
        return failure == 0 ? status : nil
    }
}
