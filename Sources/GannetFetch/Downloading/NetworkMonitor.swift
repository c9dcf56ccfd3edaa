package import GannetCore
package import GannetPlatform
import Synchronization

/// Reports whether a network is available. - Kingfisher: NetworkMonitor
package protocol NetworkMonitor: Sendable {
    /// The current state; true if unknown. May read a file, never on the caller's thread.
    func isConnected() async -> Bool
    /// Returns when a network is available, perhaps at once. Throws `cancelled` with the caller's task.
    func waitUntilConnected() async throws(ImageError)
}

/// Reads the kernel's routes to find out whether one leads out of this machine: `/proc/net/route` and `/proc/net/ipv6_route`.
///
/// A network is available with a default route or a route through a gateway. Without either, as in an isolated network, a route
/// to neighbours on an interface counts, too. Bridges do not: containers and virtual machines have them (`docker0`, `virbr0`)
/// even on a machine without a network. Loopback, link-local routes and the machine's own addresses never count.
///
/// A route means that an interface is up and configured, not that the other end answers. If the files cannot be read, the
/// network counts as available. A check costs a few microseconds, and runs only while a caller waits.
package struct RouteMonitor: NetworkMonitor {
    /// Time between two checks while a caller waits, default 1 s.
    package var interval: Duration
    /// Where the kernel's files are.
    package var proc: String
    /// Where the kernel describes interfaces.
    package var sys: String
    private let files: any FileSystem
    private let time: any TimeSource
    private let executor: BlockingExecutor

    /// Reads the kernel's tables every second while a caller waits, on the file threads.
    package init(
        interval: Duration = .seconds(1), proc: String = "/proc", sys: String = "/sys", files: any FileSystem = POSIXFileSystem(),
        time: any TimeSource = SystemTimeSource(), executor: BlockingExecutor = .files
    ) {
        self.interval = interval
        self.proc = proc
        self.sys = sys
        self.files = files
        self.time = time
        self.executor = executor
    }

    package func isConnected() async -> Bool {
        let answer = try? await executor.run { () throws(ImageError) in
            let memory = SystemMemory(files: files, proc: proc)
            return Self.leadsOut(ipv4: memory.text(proc + "/net/route"), ipv6: memory.text(proc + "/net/ipv6_route")) { name in
                memory.text(sys + "/class/net/" + name + "/bridge/bridge_id") != nil
            }
        }
        return answer ?? true
    }

    package func waitUntilConnected() async throws(ImageError) {
        while !(await isConnected()) { try await time.sleep(for: interval) }
        try ImageError.checkCancellation(stage: .load)
    }

    /// The current state and each change, while the stream is read. Programs can retry failed loads: (`for await isThere in
    /// monitor.changes() where isThere { view.retry() }`).
    package func changes() -> AsyncStream<Bool> {
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

    private enum Way {
        case none
        /// Only to neighbours on this interface.
        case near(Substring)
        case far
    }

    /// Classifies a route by its flags (linux/route.h, linux/ipv6_route.h): up, not rejecting, not a local address; and whether
    /// it uses a gateway.
    private static func way(_ interface: Substring, _ flags: Substring, isDefault: Bool) -> Way {
        guard interface != "lo", let bits = Int(flags, radix: 16), bits & 0x1 != 0, bits & 0x200 == 0, bits & 0x8000_0000 == 0
        else {
            return .none
        }
        return isDefault || bits & 0x2 != 0 ? .far : .near(interface)
    }

    /// Parses the tables of proc(5); nil for an unreadable one. `isBridge` is called only for interfaces with neighbours.
    package static func leadsOut(ipv4: String?, ipv6: String?, isBridge: (String) -> Bool = { _ in false }) -> Bool {
        guard ipv4 != nil || ipv6 != nil else { return true }
        let isBlank = { (character: Character) in character == "\t" || character == " " }
        let all =
            (ipv4 ?? "").split(separator: "\n").dropFirst().map { way(ipv4: $0.split(whereSeparator: isBlank)) }
            + (ipv6 ?? "").split(separator: "\n").map { way(ipv6: $0.split(whereSeparator: isBlank)) }
        var near: Set<Substring> = []
        for way in all {
            switch way {
            case .far: return true
            case .near(let interface): near.insert(interface)
            case .none: break
            }
        }
        return near.contains { !isBridge(String($0)) }
    }

    private static func way(ipv4 fields: [Substring]) -> Way {
        guard fields.count > 3 else { return .none }
        let isDefault = fields.count > 7 && fields[1].allSatisfy { $0 == "0" } && fields[7].allSatisfy { $0 == "0" }
        return way(fields[0], fields[3], isDefault: isDefault)
    }

    private static func way(ipv6 fields: [Substring]) -> Way {
        // Link-local and multicast routes exist as soon as a cable is connected.
        guard fields.count > 9, !fields[0].hasPrefix("fe8"), !fields[0].hasPrefix("ff") else { return .none }
        return way(fields[9], fields[8], isDefault: fields[0].allSatisfy { $0 == "0" } && fields[1] == "00")
    }
}

/// The last value sent to a reader of changes.
private final class LastAnswer: Sendable {
    private let told = Mutex<Bool?>(nil)

    func isNews(_ answer: Bool) -> Bool {
        told.withLock { told in
            defer { told = answer }
            return told != answer
        }
    }
}
