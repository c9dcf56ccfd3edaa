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
#endif
