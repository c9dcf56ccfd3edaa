public import GannetCore
import Synchronization

/// Whether a network is there. - Kingfisher: NetworkMonitor
public protocol NetworkMonitor: Sendable {
    /// Now; true where nobody knows. May read a file, never on the caller's thread.
    func isConnected() async -> Bool
    /// Returns when a network is there, at once if there is one. Throws `cancelled` with the caller's task.
    func waitUntilConnected() async throws(ImageError)
}

/// Asks the kernel whether a route leads out of this machine: `/proc/net/route` and `/proc/net/ipv6_route`.
///
/// A route says that an interface is up and configured, not that the other end answers. Loopback and link-local routes do not
/// count. Where the files cannot be read, a network is taken to be there. A question costs a few microseconds, and nothing is asked
/// while nobody waits.
public struct RouteMonitor: NetworkMonitor {
    /// Between two questions while somebody waits, default 1 s.
    public var interval: Duration
    /// Where the kernel's files are.
    public var proc: String
    private let files: any FileSystem
    private let time: any TimeSource
    private let executor: BlockingExecutor

    /// Looks at the kernel's own tables every second while somebody waits, on the threads for files.
    public init(
        interval: Duration = .seconds(1), proc: String = "/proc", files: any FileSystem = POSIXFileSystem(),
        time: any TimeSource = SystemTimeSource(), executor: BlockingExecutor = .files
    ) {
        self.interval = interval
        self.proc = proc
        self.files = files
        self.time = time
        self.executor = executor
    }

    public func isConnected() async -> Bool {
        let answer = try? await executor.run { () throws(ImageError) in
            let memory = SystemMemory(files: files, proc: proc)
            return Self.leadsOut(ipv4: memory.text(proc + "/net/route"), ipv6: memory.text(proc + "/net/ipv6_route"))
        }
        return answer ?? true
    }

    public func waitUntilConnected() async throws(ImageError) {
        while !(await isConnected()) { try await time.sleep(for: interval) }
        try ImageError.checkCancellation(stage: .load)
    }

    /// Whether a network is there now, and then each change, for as long as somebody reads: a program tries again what failed
    /// (`for await isThere in monitor.changes() where isThere { view.retry() }`).
    public func changes() -> AsyncStream<Bool> {
        let last = LastAnswer()
        return AsyncStream {
            while !Task.isCancelled {
                let isThere = await isConnected()
                if last.isNews(isThere) { return isThere }
                do throws(ImageError) { try await time.sleep(for: interval) } catch { return nil }
            }
            return nil
        }
    }

    /// Flags of a route (linux/route.h): up, and not one that refuses.
    private static func isUsable(_ flags: Substring) -> Bool {
        guard let bits = Int(flags, radix: 16) else { return false }
        return bits & 0x1 != 0 && bits & 0x200 == 0
    }

    /// The tables as proc(5) describes them; nil where one cannot be read.
    package static func leadsOut(ipv4: String?, ipv6: String?) -> Bool {
        guard ipv4 != nil || ipv6 != nil else { return true }
        for line in (ipv4 ?? "").split(separator: "\n").dropFirst() {
            let fields = line.split { $0 == "\t" || $0 == " " }
            if fields.count > 3, fields[0] != "lo", isUsable(fields[3]) { return true }
        }
        for line in (ipv6 ?? "").split(separator: "\n") {
            let fields = line.split { $0 == "\t" || $0 == " " }
            guard fields.count > 9, fields[9] != "lo", isUsable(fields[8]) else { continue }
            // Link-local and multicast routes are there as soon as a cable is.
            let isLocal = fields[0].hasPrefix("fe8") || fields[0].hasPrefix("ff")
            if !isLocal { return true }
        }
        return false
    }
}

/// What a reader of changes was told last.
private final class LastAnswer: Sendable {
    private let told = Mutex<Bool?>(nil)

    func isNews(_ answer: Bool) -> Bool {
        told.withLock { told in
            defer { told = answer }
            return told != answer
        }
    }
}
