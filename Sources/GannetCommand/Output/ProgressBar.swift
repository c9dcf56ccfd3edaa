#if CommandLine
    import Glibc

    /// One bar at the bottom of the terminal, on standard error. Owned by the one loop that prints; lines printed between
    /// ``clear()`` and the next ``draw`` scroll by above it.
    struct ProgressBar {
        private let isOn: Bool
        private var shown = ""

        init(_ choice: ProgressChoice) {
            switch choice {
            case .auto: isOn = Console.errorIsTerminal && Console.terminalObeys
            case .always: isOn = true
            case .never: isOn = false
            }
        }

        /// Whether drawing has any effect, so that callers can avoid computing the numbers.
        var isVisible: Bool { isOn }

        /// `fraction` is 0 … 1; `text` is cut to the space beside the bar.
        mutating func draw(_ fraction: Double, _ text: String) {
            guard isOn else { return }
            let width = Self.columns
            let barWidth = min(30, max(width / 3, 5))
            let filled = Int((min(max(fraction, 0), 1) * Double(barWidth)).rounded(.down))
            let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: barWidth - filled)
            let line = bar + " " + String(Console.clean(text).prefix(max(width - barWidth - 2, 0)))
            guard line != shown else { return }
            shown = line
            Console.barIsShown = true
            Console.writeError("\r\u{1B}[K" + line)
        }

        mutating func clear() {
            guard isOn, !shown.isEmpty else { return }
            shown = ""
            Console.barIsShown = false
            Console.writeError("\r\u{1B}[K")
        }

        private static var columns: Int {
            var size = winsize()
            return ioctl(2, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
        }
    }
#endif
