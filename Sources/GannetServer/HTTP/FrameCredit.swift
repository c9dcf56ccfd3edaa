#if Server
    import NIOCore

    /// How many frames that bring no request forward a client of HTTP/2 may still send: WINDOW_UPDATE, PRIORITY, SETTINGS, PING, RST_STREAM,
    /// DATA, and those of unknown types. Each takes a little of the processor, so that one connection could use it up.
    ///
    /// Requests earn credit, and so do bytes that the server sends, which the client confirms. The rest comes with time.
    struct FrameCredit {
        /// At the beginning, and at most.
        static let maximum = 1000.0
        static let aSecond = 50.0
        static let aRequest = 20.0
        /// A client may confirm each frame of a body twice: for the stream and for the connection.
        static let bytesSent = 512.0

        private var rest = maximum
        private var last: NIODeadline

        init(at now: NIODeadline) { last = now }

        mutating func addRequest() { add(Self.aRequest) }

        mutating func addSent(_ bytes: Int) { add(Double(bytes) / Self.bytesSent) }

        /// False: there is none left.
        mutating func spend(at now: NIODeadline) -> Bool {
            add(Double((now - last).nanoseconds) / 1e9 * Self.aSecond)
            last = now
            rest -= 1
            return rest >= 0
        }

        private mutating func add(_ more: Double) { rest = min(rest + more, Self.maximum) }
    }
#endif
