/// Sizes and times in readable form.
package enum Readable {
    /// `0 B`, `812 B`, `64.2 KB`, `5.1 MB`: powers of 1000.
    package static func bytes(_ count: Int) -> String {
        var value = Double(count)
        var unit = 0
        let units = ["B", "KB", "MB", "GB", "TB"]
        while value >= 999.95, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        return (unit == 0 ? String(count) : value.fixed(1)) + " " + units[unit]
    }

    /// `9,430`
    package static func count(_ number: Int) -> String {
        let digits = Array(String(number))
        let groups = digits.indices.map { index in
            (index > 0 && (digits.count - index).isMultiple(of: 3) ? "," : "") + String(digits[index])
        }
        return groups.joined()
    }

    package static func milliseconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) * 1000 + Double(attoseconds) / 1e15
    }

    /// `3.2 ms`, `1.45 s`.
    package static func time(_ duration: Duration) -> String {
        let milliseconds = milliseconds(duration)
        return milliseconds < 1000 ? milliseconds.fixed(1) + " ms" : (milliseconds / 1000).fixed(2) + " s"
    }

    /// `4 s`, `12 min`, `5 h`, `3 d`.
    package static func age(_ duration: Duration) -> String {
        let seconds = max(Int(duration.components.seconds), 0)
        switch seconds {
        case ..<120: return "\(seconds) s"
        case ..<7200: return "\(seconds / 60) min"
        case ..<172_800: return "\(seconds / 3600) h"
        default: return "\(seconds / 86_400) d"
        }
    }
}

extension Double {
    /// Rounds to at most `places` decimals, without trailing zeros: `1.5`, `2`, `0.125`. Only for finite values below 10¹⁵.
    package func decimal(places: Int) -> String {
        guard isFinite, magnitude < 1e15 else { return String(describing: self) }
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let scaled = (magnitude * scale).rounded()
        let whole = Int(scaled / scale)
        var fraction = String(Int(scaled - Double(whole) * scale))
        fraction = String(repeating: "0", count: max(places - fraction.count, 0)) + fraction
        while fraction.hasSuffix("0") { fraction.removeLast() }
        let sign = self < 0 && scaled > 0 ? "-" : ""
        return sign + String(whole) + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// Always this many decimals, for columns: `1.50`.
    package func fixed(_ places: Int) -> String {
        let text = decimal(places: places)
        guard places > 0, isFinite else { return text }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let fraction = parts.count > 1 ? String(parts[1]) : ""
        return parts[0] + "." + fraction + String(repeating: "0", count: max(places - fraction.count, 0))
    }
}
