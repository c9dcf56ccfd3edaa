#if CommandLine
    import ArgumentParser
    import GannetCore

    /// A value of `--tone-mapping`.
    enum ToneMappingChoice: String, ExpressibleByArgument, CaseIterable {
        case bt2390, bt2446a

        var curve: ToneMapping {
            switch self {
            case .bt2390: .bt2390
            case .bt2446a: .bt2446a
            }
        }
    }
#endif
