#if CommandLine
    /// Text columns for people: numbers right-aligned, everything else left-aligned.
    struct Table {
        var header: [String]
        var rows: [[String]] = []

        init(_ header: String...) { self.header = header }

        mutating func add(_ cells: String...) { rows.append(cells) }

        var lines: [String] {
            let all = [header] + rows
            let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
            let numeric = header.indices.map { column in
                rows.allSatisfy { $0[column].first.map { $0.isNumber || $0 == "-" || $0 == "–" } ?? true }
            }
            return all.map { row in
                let cells = header.indices.map { column in
                    let padding = String(repeating: " ", count: widths[column] - row[column].count)
                    return numeric[column] ? padding + row[column] : row[column] + padding
                }
                let line = cells.joined(separator: "  ")
                return String(line.reversed().drop { $0 == " " }.reversed())
            }
        }
    }

    /// Sizes and times in readable form.
    enum Readable {
        /// `0 B`, `812 B`, `64.2 KB`, `5.1 MB`: powers of 1000.
        static func bytes(_ count: Int) -> String {
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
        static func count(_ number: Int) -> String {
            let digits = Array(String(number))
            let groups = digits.indices.map { index in
                (index > 0 && (digits.count - index).isMultiple(of: 3) ? "," : "") + String(digits[index])
            }
            return groups.joined()
        }

        static func milliseconds(_ duration: Duration) -> Double {
            let (seconds, attoseconds) = duration.components
            return Double(seconds) * 1000 + Double(attoseconds) / 1e15
        }

        /// `3.2 ms`, `1.45 s`.
        static func time(_ duration: Duration) -> String {
            let milliseconds = milliseconds(duration)
            return milliseconds < 1000 ? milliseconds.fixed(1) + " ms" : (milliseconds / 1000).fixed(2) + " s"
        }

        /// `4 s`, `12 min`, `5 h`, `3 d`.
        static func age(_ duration: Duration) -> String {
            let seconds = max(Int(duration.components.seconds), 0)
            switch seconds {
            case ..<120: return "\(seconds) s"
            case ..<7200: return "\(seconds / 60) min"
            case ..<172_800: return "\(seconds / 3600) h"
            default: return "\(seconds / 86_400) d"
            }
        }
    }
#endif
