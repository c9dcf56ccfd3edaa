#if CommandLine
    import ArgumentParser
    import GannetCore

    /// A length of time: `90`, `90s`, `15m`, `12h`, `7d`, `2w`; a plain number is seconds.
    struct DurationArgument: Equatable {
        var duration: Duration

        init(_ duration: Duration) { self.duration = duration }

        /// A value of an option. The parser puts the reason behind "is invalid for".
        init(parsing text: String) throws {
            let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
            let unit = text.last.flatMap { units[$0] }
            guard let number = Double(unit == nil ? text[...] : text.dropLast()), number.isFinite, number >= 0,
                number * (unit ?? 1) < 1e12
            else { throw ValidationError("a time is a number with s, m, h, d or w: 90s, 15m, 12h, 7d, 2w.") }
            duration = .seconds(number * (unit ?? 1))
        }
    }

    /// A number of bytes: `512`, `100KB`, `20MB`, `1GiB`; a plain number is bytes.
    struct ByteCountArgument: Equatable {
        var bytes: Int

        private static let units: [(String, Double)] = [
            ("kib", 1024), ("mib", 1_048_576), ("gib", 1_073_741_824), ("kb", 1e3), ("mb", 1e6), ("gb", 1e9), ("k", 1e3),
            ("m", 1e6),
            ("g", 1e9), ("b", 1),
        ]

        init(parsing text: String) throws {
            // Exactly, where it needs no unit.
            if let bytes = Int(text), bytes >= 0 {
                self.bytes = bytes
                return
            }
            let lower = text.lowercased()
            let unit = Self.units.first { lower.hasSuffix($0.0) }
            let digits = lower.dropLast(unit?.0.count ?? 0)
            guard let number = Double(digits), number.isFinite, number >= 0, number * (unit?.1 ?? 1) < 9e18 else {
                throw ValidationError("a number of bytes is written like 500000, 100KB, 2MB or 1GiB.")
            }
            bytes = Int(number * (unit?.1 ?? 1))
        }
    }

    /// Plain numbers, with a reason where they are none.
    enum NumberArgument {
        /// `300000000`, `300M`, `1.5k`: of pixels or frames.
        @Sendable static func count(_ text: String) throws -> Int {
            if let number = Int(text) { return number }
            let units: [Character: Double] = ["k": 1e3, "m": 1e6, "g": 1e9]
            guard let unit = text.lowercased().last.flatMap({ units[$0] }), let number = Double(text.dropLast()), number.isFinite,
                number >= 0, number * unit < 9e18
            else { throw ValidationError("a number is written like 20000, 500k, 300M or 1G.") }
            return Int(number * unit)
        }

        @Sendable static func whole(_ text: String) throws -> Int {
            guard let number = Int(text) else { throw ValidationError("it must be a whole number, like 100.") }
            return number
        }

        @Sendable static func seconds(_ text: String) throws -> Double {
            guard let number = Double(text), number.isFinite else {
                throw ValidationError("it must be a number of seconds, like 30 or 0.5.")
            }
            return number
        }

        @Sendable static func bytes(_ text: String) throws -> Int { try ByteCountArgument(parsing: text).bytes }

        @Sendable static func quality(_ text: String) throws -> Int {
            guard let number = Int(text), (0...100).contains(number) else {
                throw ValidationError("quality is a whole number from 0 to 100.")
            }
            return number
        }
    }

    /// `WxH` in pixels, each 1 … 16,777,215.
    struct Box: Equatable {
        var width: Int
        var height: Int

        init?(_ text: String) {
            let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
            guard parts.count == 2, let width = parts[0], let height = parts[1], PixelSize(width: width, height: height) != nil
            else { return nil }
            self.width = width
            self.height = height
        }

        init(parsing text: String) throws {
            guard let box = Box(text) else {
                throw ValidationError("a box is WIDTHxHEIGHT in pixels, like 400x300, each from 1 to \(PixelSize.maximumSide).")
            }
            self = box
        }
    }

    /// `WxH` in pixels; `300` for both; with one side, `300x` or `x200`, the other follows in proportion.
    struct ThumbnailSize: Equatable {
        var width: Int?
        var height: Int?

        static let help = ArgumentHelp(
            "Decoded small, in pixels: 400x300, 300 (for 300x300), 400x or x300 (one side, the other follows).", valueName: "size"
        )

        init(parsing text: String) throws {
            let parts = text.split(separator: "x", omittingEmptySubsequences: false)
            let sides = parts.map { Int($0) }
            guard parts.count <= 2, zip(parts, sides).allSatisfy({ $0.isEmpty || $1 != nil }),
                sides.contains(where: { $0 != nil }), sides.allSatisfy({ (1...PixelSize.maximumSide).contains($0 ?? 1) })
            else {
                throw ValidationError(
                    "a size is in pixels, each side from 1 to \(PixelSize.maximumSide): 400x300, 300 (for 300x300), 400x (only the width) or x300 (only the height)."
                )
            }
            (width, height) = (sides[0], sides[sides.count - 1])
        }

        func target(_ mode: ModeArgument?) -> TargetSize {
            TargetSize(mode?.mode ?? .fit, width: width, height: height)
        }
    }
#endif
