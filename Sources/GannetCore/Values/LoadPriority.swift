/// Five levels; a job has the highest priority of its waiters.
public enum LoadPriority: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// In rising order.
    case veryLow, low, normal, high, veryHigh

    public static func < (left: LoadPriority, right: LoadPriority) -> Bool { left.rawValue < right.rawValue }

    /// The priority of the Swift task that does the work.
    public var taskPriority: TaskPriority {
        switch self {
        case .veryLow: .background
        case .low: .utility
        case .normal: .medium
        case .high: .high
        case .veryHigh: .userInitiated
        }
    }
}
