#if CommandLine
    import ArgumentParser

    /// A length of time: `90`, `90s`, `15m`, `12h`, `7d`, `2w`; a plain number is seconds.
    struct DurationArgument: Equatable, ExpressibleByArgument {
        var duration: Duration

        init(_ duration: Duration) { self.duration = duration }

        var defaultValueDescription: String { "\(duration.components.seconds)s" }

        init?(argument: String) {
            let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
            let unit = argument.last.flatMap { units[$0] }
            guard let number = Double(unit == nil ? argument[...] : argument.dropLast()), number.isFinite, number >= 0,
                number * (unit ?? 1) < 1e12
            else { return nil }
            duration = .seconds(number * (unit ?? 1))
        }
    }

    /// A number of bytes: `512`, `100KB`, `20MB`, `1GiB`; a plain number is bytes.
    struct ByteCountArgument: Equatable, ExpressibleByArgument {
        var bytes: Int

        private static let units: [(String, Double)] = [
            ("kib", 1024), ("mib", 1_048_576), ("gib", 1_073_741_824), ("kb", 1e3), ("mb", 1e6), ("gb", 1e9), ("k", 1e3),
            ("m", 1e6),
            ("g", 1e9), ("b", 1),
        ]

        init?(argument: String) {
            let text = argument.lowercased()
            let unit = Self.units.first { text.hasSuffix($0.0) }
            let digits = text.dropLast(unit?.0.count ?? 0)
            guard let number = Double(digits), number.isFinite, number >= 0, number * (unit?.1 ?? 1) < 9e18 else { return nil }
            bytes = Int(number * (unit?.1 ?? 1))
        }
    }
#endif
