#if Server
    package import GannetPlatform

    /// The memory of this process and of the workers that it has started, by the kernel's word.
    package struct ServiceMemory: Sendable {
        /// Bytes that may be used.
        package var limit: Int
        package var system: SystemMemory
        /// Of workers, and of what starts them.
        package var processes: @Sendable () -> [Int32]

        package init(
            limit: Int, system: SystemMemory = SystemMemory(), processes: @escaping @Sendable () -> [Int32] = { [] }
        ) { (self.limit, self.system, self.processes) = (limit, system, processes) }

        /// Nil where there is no `/proc`. The files that a program is mapped from count once, pages that several processes share by
        /// the one that has the most. Where a control group limits the service, what is missing there is missing here too, even if
        /// other processes of the group have it.
        package var used: Int? {
            guard let own = system.process("self") else { return nil }
            var (bytes, shared) = (own.own + own.files, own.shared)
            var ofWorkers = 0
            for number in processes() {
                guard let part = system.process(String(number)) else { continue }
                bytes += part.own
                ofWorkers += part.shared
            }
            shared = max(shared, ofWorkers)
            guard let group = system.groupLimit, let inGroup = system.usedBytes(of: group) else { return bytes + shared }
            return max(bytes + shared, limit - (group.bytes - inGroup))
        }
    }
#endif
