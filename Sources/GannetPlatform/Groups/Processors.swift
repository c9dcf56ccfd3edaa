import CGannetKernels
import GannetCore

/// The processors that this process may use.
package struct Processors {
    private let groups: ControlGroups

    init(groups: ControlGroups = ControlGroups()) { self.groups = groups }

    /// At least 1: those of the main thread's affinity, but no more than the quotas of the control groups allow.
    var count: Int { min(Self.allowed(), quota.map { max(1, Int($0.rounded(.up))) } ?? .max) }

    /// Those of a thread's affinity, at least 1: of the main thread or of the calling one.
    package static func allowed(toThisThread: Bool = false) -> Int {
        max(1, Int(gannet_allowed_processors(toThisThread ? 1 : 0)))
    }

    /// The tightest quota from this process's group up to the root, in processors; half of one is 0.5. Nil: none has one.
    var quota: Double? {
        groups.folders(of: "cpu").compactMap { folder -> Double? in
            if folder.isFirstVersion {
                return Self.share(groups.text(folder.path + "/cpu.cfs_quota_us"), groups.text(folder.path + "/cpu.cfs_period_us"))
            }
            let words = groups.text(folder.path + "/cpu.max")?.split(separator: " ").map(String.init) ?? []
            return words.count == 2 ? Self.share(words[0], words[1]) : nil
        }.min()
    }

    /// Microseconds in each period of microseconds. Both versions have a word or a negative number for "as many as there are".
    private static func share(_ quota: String?, _ period: String?) -> Double? {
        let numbers = [quota, period].map { text in text.flatMap { Int($0.filter { $0 != "\n" }) } ?? 0 }
        guard numbers[0] > 0, numbers[1] > 0 else { return nil }
        return min(Double(numbers[0]) / Double(numbers[1]), 1_000_000)
    }
}
