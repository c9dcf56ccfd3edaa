#if CommandLine
    import ArgumentParser
    import Glibc
    import Synchronization

    enum GraphicsChoice: String, ExpressibleByArgument, CaseIterable { case auto, kitty, sixel, blocks }

    /// The terminal that images are drawn on: its capabilities, its size, and its keys.
    struct Terminal: Sendable {
        /// Never `auto`.
        var graphics: GraphicsChoice
        var columns: Int
        var rows: Int
        var cell: TerminalAnswer.Cell
        /// 24-bit colours for blocks; else the 256 of xterm.
        var hasAllColors: Bool

        /// Queries the terminal for what `choice` leaves open. If standard output is not a terminal: blocks, 80 by 24. Blocks up
        /// to half a second if the terminal does not answer.
        static func find(_ choice: GraphicsChoice) -> Terminal {
            let colors = getenv("COLORTERM").map { String(cString: $0) } ?? ""
            var terminal = Terminal(
                graphics: choice == .auto ? .blocks : choice, columns: 80, rows: 24,
                cell: TerminalAnswer.Cell(width: 10, height: 20), hasAllColors: true)
            guard Console.outputIsTerminal else { return terminal }
            terminal.hasAllColors = colors == "truecolor" || colors == "24bit"
            var size = winsize()
            if ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 {
                terminal.columns = Int(size.ws_col)
                terminal.rows = Int(size.ws_row)
                let (width, height) = (Int(size.ws_xpixel) / terminal.columns, Int(size.ws_ypixel) / terminal.rows)
                if width > 0, height > 0 { terminal.cell = TerminalAnswer.Cell(width: width, height: height) }
            }
            guard choice != .blocks, choice != .auto || Console.terminalObeys, let keys = TerminalKeys() else { return terminal }
            let answer = keys.ask(TerminalAnswer.question)
            if let cell = answer.cell { terminal.cell = cell }
            if choice == .auto { terminal.graphics = answer.hasKitty ? .kitty : answer.hasSixel ? .sixel : .blocks }
            return terminal
        }
    }

    /// Reads keys as they are pressed, without echo, until this value ends. Keys that send signals still do.
    struct TerminalKeys: ~Copyable {
        private let descriptor: Int32
        private var saved: termios

        /// Nil if this process has no terminal, or is ending.
        init?() {
            let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
            guard descriptor >= 0 else { return nil }
            var settings = termios()
            guard tcgetattr(descriptor, &settings) == 0 else {
                close(descriptor)
                return nil
            }
            let old = settings
            settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
            let isEnding = Self.state.withLock { state in
                if state.isEnding { return true }
                state.changed = Changed(descriptor: descriptor, settings: old)
                tcsetattr(descriptor, TCSANOW, &settings)
                return false
            }
            guard !isEnding else {
                close(descriptor)
                return nil
            }
            self.descriptor = descriptor
            saved = old
        }

        deinit {
            var settings = saved
            tcsetattr(descriptor, TCSAFLUSH, &settings)
            // Before its descriptor number is reused.
            Self.state.withLock { $0.changed = nil }
            close(descriptor)
        }

        private struct Changed {
            var descriptor: Int32
            var settings: termios
        }

        private struct State {
            /// The terminal's settings before this process changed them; only one instance at a time.
            var changed: Changed?
            /// Settings are not changed any more.
            var isEnding = false
        }

        private static let state = Mutex(State())

        /// For a process that ends now. Does not wait: the user may have stopped the terminal.
        static func restore() {
            state.withLock { state in
                state.isEnding = true
                guard var old = state.changed else { return }
                tcsetattr(old.descriptor, TCSANOW, &old.settings)
                // Unread replies from the terminal would otherwise appear as input to the shell.
                tcflush(old.descriptor, TCIFLUSH)
                var ready = pollfd(fd: old.descriptor, events: Int16(POLLOUT), revents: 0)
                let cursor = Array("\u{1B}[?25h".utf8)
                if poll(&ready, 1, 0) > 0 { _ = write(old.descriptor, cursor, cursor.count) }
            }
        }

        /// True as soon as a key is pressed, which is consumed; false after `milliseconds`.
        func wait(milliseconds: Int) -> Bool { !read(milliseconds: milliseconds).isEmpty }

        fileprivate func ask(_ question: String) -> TerminalAnswer {
            let bytes = Array(question.utf8)
            guard write(descriptor, bytes, bytes.count) == bytes.count else { return TerminalAnswer() }
            var received: [UInt8] = []
            while received.count < 4096 {
                let more = read(milliseconds: 500)
                if more.isEmpty { break }
                received += more
                let answer = TerminalAnswer(parsing: received)
                if answer.isComplete { return answer }
            }
            return TerminalAnswer(parsing: received)
        }

        private func read(milliseconds: Int) -> [UInt8] {
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, Int32(clamping: milliseconds)) > 0 else { return [] }
            var buffer = [UInt8](repeating: 0, count: 256)
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            return count > 0 ? Array(buffer[..<count]) : []
        }
    }
#endif
