#if Server
    import NIOCore

    /// A token bucket for the HTTP/2 frames of a client that carry no request: WINDOW_UPDATE, PRIORITY, SETTINGS, PING, RST_STREAM, DATA, and
    /// those of unknown types. Each costs processor time, so a flood of them on one connection could use it up.
    ///
    /// Credit grows with time, with each request, and with the bytes that the server sends, because the client confirms them.
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

        /// False: no credit is left.
        mutating func spend(at now: NIODeadline) -> Bool {
            add(Double((now - last).nanoseconds) / 1e9 * Self.aSecond)
            last = now
            rest -= 1
            return rest >= 0
        }

        private mutating func add(_ more: Double) { rest = min(rest + more, Self.maximum) }
    }
#endif
