import Gannet

/// The arguments of the program.
struct Arguments {
    var sources: [String] = []
    var isDark = false
    /// Points of a cell of the wall.
    var cell = 220
    var width = 1100
    var height = 720
    /// The photograph to open at the start, from 1.
    var open: Int?
    var screenshot: String?
    var recording: String?
    var showcase: String?

    init(_ arguments: ArraySlice<String>) throws(ImageError) {
        var rest = arguments
        while let argument = rest.popFirst() {
            switch argument {
            case "--dark": isDark = true
            case "--cell": cell = try Self.number(rest.popFirst(), 32...1024)
            case "--open": open = try Self.number(rest.popFirst(), 1...1_000_000)
            case "--size":
                let parts = (rest.popFirst() ?? "").split(separator: "x").map(String.init)
                width = try Self.number(parts.first, 200...8192)
                height = try Self.number(parts.count == 2 ? parts[1] : nil, 200...8192)
            case "--screenshot": screenshot = rest.popFirst()
            case "--record": recording = rest.popFirst()
            case "--showcase": showcase = rest.popFirst()
            default:
                guard !argument.hasPrefix("--") else { throw ImageError(.misuse, "There is no option \(argument).") }
                sources.append(argument)
            }
        }
    }

    private static func number(_ text: String?, _ range: ClosedRange<Int>) throws(ImageError) -> Int {
        guard let number = text.flatMap({ Int($0) }), range.contains(number) else {
            throw ImageError(.misuse, "\(text ?? "Nothing") is no number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }
}
