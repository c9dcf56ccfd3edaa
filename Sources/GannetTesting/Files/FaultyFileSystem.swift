package import GannetCore
package import GannetPlatform
import Synchronization

/// A file system that passes calls on to another one, counts them, and makes chosen ones fail.
///
/// It has no page cache: everything is read with ``readParts(_:expected:headCount:maximumBytes:wantsTail:split:)``.
package final class FaultyFileSystem: FileSystem {
    /// The functions of ``FileSystem``.
    package enum Call: String, Hashable, Sendable, CaseIterable {
        /// Both functions that write a file count as `write`; the one with a time is followed by `setModified`.
        case read, readHead, readParts, write, overwrite, rename, remove, removeDirectory, makeDirectory, list, status
        /// Named like the functions.
        case setModified, lock
    }

    /// Decides about one call by its kind, the path, and the numbers of earlier calls of this kind and of all kinds. Returns an
    /// errno to fail without executing the call; nil lets it pass.
    package typealias Rule = @Sendable (_ call: Call, _ path: String, _ ofKind: Int, _ ofAll: Int) -> Int32?

    private struct State {
        var rule: Rule?
        var counts: [Call: Int] = [:]
        var total = 0
        var failures = 0
    }

    private let base: any FileSystem
    private let state = Mutex(State())

    /// Without a rule all calls pass, and are counted.
    package init(_ base: any FileSystem, rule: Rule? = nil) {
        self.base = base
        state.withLock { $0.rule = rule }
    }

    /// Fails the `number`th call (from 1) of the kind with the errno, and all later ones too if `forever`.
    package static func fail(_ call: Call, number: Int, errno: Int32, forever: Bool = false) -> Rule {
        { kind, _, ofKind, _ in kind == call && (forever ? ofKind + 1 >= number : ofKind + 1 == number) ? errno : nil }
    }

    /// Replaces the rule; nil lets everything pass. Counts continue.
    package func setRule(_ rule: Rule?) { state.withLock { $0.rule = rule } }

    /// Calls of all kinds so far, including failed ones.
    package var callCount: Int { state.withLock { $0.total } }
    /// Calls of this kind so far, including failed ones.
    package func count(of call: Call) -> Int { state.withLock { $0.counts[call] ?? 0 } }
    /// Calls that a rule failed.
    package var failureCount: Int { state.withLock { $0.failures } }

    private func enter(_ call: Call, _ path: String) throws(ImageError) {
        let (rule, ofKind, ofAll) = state.withLock { state in
            let counts = (state.counts[call] ?? 0, state.total)
            state.counts[call] = counts.0 + 1
            state.total += 1
            return (state.rule, counts.0, counts.1)
        }
        guard let errno = rule?(call, path, ofKind, ofAll) else { return }
        state.withLock { $0.failures += 1 }
        throw ImageError(
            errno == 2 ? .notFound : .io, "\(call.rawValue) of \(path) failed: errno \(errno), by order of a test.",
            underlying: FileSystemFailure(call: call.rawValue, errno: errno))
    }

    package func read(_ path: String, maximumBytes: Int, nofollow: Bool) throws(ImageError) -> [UInt8] {
        try enter(.read, path)
        return try base.read(path, maximumBytes: maximumBytes, nofollow: nofollow)
    }

    package func readHead(_ path: String, count: Int, nofollow: Bool) throws(ImageError) -> [UInt8] {
        try enter(.readHead, path)
        return try base.readHead(path, count: count, nofollow: nofollow)
    }

    package func readParts(
        _ path: String, expected: FileStatus?, headCount: Int, maximumBytes: Int, wantsTail: Bool,
        split: (_ head: [UInt8], _ status: FileStatus) throws(ImageError) -> Int
    ) throws(ImageError) -> FileParts {
        try enter(.readParts, path)
        return try base.readParts(
            path, expected: expected, headCount: headCount, maximumBytes: maximumBytes, wantsTail: wantsTail, split: split)
    }

    /// Fails half-way: leaves the file with half of its first piece, as a full disk does.
    package func write(_ pieces: [[UInt8]], toNew path: String, sync: Bool) throws(ImageError) {
        do throws(ImageError) {
            try enter(.write, path)
        } catch {
            let first = pieces.first ?? []
            try? base.write([Array(first.prefix(first.count / 2))], toNew: path, sync: false)
            throw error
        }
        try base.write(pieces, toNew: path, sync: sync)
    }

    package func overwrite(_ bytes: [UInt8], at offset: Int, of path: String) throws(ImageError) {
        try enter(.overwrite, path)
        try base.overwrite(bytes, at: offset, of: path)
    }

    package func rename(_ from: String, to: String) throws(ImageError) {
        try enter(.rename, to)
        try base.rename(from, to: to)
    }

    package func remove(_ path: String) throws(ImageError) {
        try enter(.remove, path)
        try base.remove(path)
    }

    package func removeDirectory(_ path: String) throws(ImageError) {
        try enter(.removeDirectory, path)
        try base.removeDirectory(path)
    }

    package func makeDirectory(_ path: String) throws(ImageError) {
        try enter(.makeDirectory, path)
        try base.makeDirectory(path)
    }

    package func list(_ directory: String) throws(ImageError) -> [String] {
        try enter(.list, directory)
        return try base.list(directory)
    }

    package func status(_ path: String) throws(ImageError) -> FileStatus {
        try enter(.status, path)
        return try base.status(path)
    }

    package func setModified(_ path: String, to moment: Timestamp) throws(ImageError) {
        try enter(.setModified, path)
        try base.setModified(path, to: moment)
    }

    package func lock(_ path: String) throws(ImageError) -> FileLock? {
        try enter(.lock, path)
        return try base.lock(path)
    }
}
