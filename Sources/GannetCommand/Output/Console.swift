#if CommandLine
    import GannetCore
    import GannetPlatform
    import GannetSupport
    import Glibc
    import Synchronization

    /// Standard output and standard error, written with one system call a line, so that lines of several processes never mix.
    enum Console {
        static var errorIsTerminal: Bool { isatty(2) == 1 }
        static var outputIsTerminal: Bool { isatty(1) == 1 }
        /// Whether the terminal claims to support more than plain text.
        static var terminalObeys: Bool {
            guard let name = getenv("TERM").map({ String(cString: $0) }) else { return false }
            return !name.isEmpty && name != "dumb"
        }

        /// Opens standard streams that the caller has closed, in a way that makes their use fail. Otherwise the next opened files
        /// would get their numbers, and would be read and written as standard input and output.
        static func openClosed() {
            for descriptor in 0..<3 as Range<Int32> where fcntl(descriptor, F_GETFD) < 0 {
                // `open` returns the lowest free number, which is this one.
                _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
            }
        }

        /// Prints a line on standard output, without passwords. Ends the process if standard output is closed.
        static func print(_ line: String) { printAsIs(ByteText.shown(TextRedaction.text(line))) }

        static func print(_ value: JSON) { printAsIs(value.redacted.text) }

        /// Prints a line exactly as it is, without redaction.
        static func printAsIs(_ line: String) { write(Array((line + "\n").utf8)) }

        /// Writes bytes to standard output, with nothing added.
        static func write(_ bytes: [UInt8]) {
            guard !StandardStream.write(bytes, to: 1) else { return }
            // A reader that closed its end needs no error message.
            if errno != EPIPE {
                let reason = String(cString: strerror(errno))
                writeError(start + "gannet: -: io: Standard output cannot be written: \(reason).\n")
            }
            Ending.now(1)
        }

        /// Writes text to standard error, without passwords. A closed standard error is no reason to stop.
        static func writeError(_ text: String) {
            _ = StandardStream.write(Array(ByteText.shown(TextRedaction.text(text)).utf8), to: 2)
        }

        /// `gannet: SOURCE: CODE: message`
        static func report(_ error: ImageError, source: String) {
            report(error.code, error.advice(on: source), source: source)
        }

        /// The same with the command's own message.
        static func report(_ code: ImageError.Code, _ message: String, source: String) {
            note(
                "\(clean(source)): \(code.name): \(clean(message))",
                [("source", .string(clean(source))), ("code", .string(code.name)), ("message", .string(clean(message)))])
        }

        /// `gannet: message`
        static func warn(_ message: String) { note(clean(message), [("message", .string(clean(message)))]) }

        /// Writes lines on standard error as JSON objects from now on, for a log that is read as JSON and contains both streams.
        static func writeNotesAsJSON() { jsonFlag.store(true, ordering: .relaxed) }

        private static let jsonFlag = Atomic(false)

        private static func note(_ text: String, _ fields: [(String, JSON)]) {
            guard jsonFlag.load(ordering: .relaxed) else { return writeError(start + "gannet: \(text)\n") }
            let now = Double(SystemTimeSource().now.milliseconds) / 1000
            writeError(start + JSON.object([("time", .number(now))] + fields).redacted.text + "\n")
        }

        /// A progress bar is in the cursor's line. Set by the bar.
        static var barIsShown: Bool {
            get { barFlag.load(ordering: .relaxed) }
            set { barFlag.store(newValue, ordering: .relaxed) }
        }

        private static let barFlag = Atomic(false)

        /// Removes a progress bar before a line of text.
        private static var start: String { barFlag.exchange(false, ordering: .relaxed) ? "\r\u{1B}[K" : "" }

        /// Removes passwords and control sequences for terminals, and keeps a line a line.
        static func clean(_ text: String) -> String {
            String(
                String.UnicodeScalarView(
                    TextRedaction.text(text).unicodeScalars.map { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? " " : $0 }
                ))
        }
    }
#endif
