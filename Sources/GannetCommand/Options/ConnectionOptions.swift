#if CommandLine && Server
    import ArgumentParser
    import GannetCore
    import GannetServer
    import GannetSupport
    import Glibc

    /// The limits for clients of the service, and the proxies in front of it.
    struct ConnectionOptions: ParsableArguments {
        @Option(help: ArgumentHelp("Listens on this socket in the file system instead.", valueName: "path"), completion: .file())
        var unixSocket: String?

        @Option(
            help: ArgumentHelp(
                "The rights of --unix-socket, in octal digits; a client needs to write. (default: 0666, every user of the machine)",
                valueName: "mode"), transform: Self.mode)
        var unixSocketMode = SocketAccess().mode

        @Option(
            help: ArgumentHelp("The group of --unix-socket, for a mode of 0660: a name or a number.", valueName: "group"),
            transform: Self.group)
        var unixSocketGroup: gid_t?

        @Option(
            help: ArgumentHelp(
                "A proxy in front, as 10.1.0.0/24 or 127.0.0.1, or unix for --unix-socket: the client's address is the one that it writes into X-Forwarded-For or Forwarded; may be repeated.",
                valueName: "network"), transform: Self.proxy)
        var trustedProxy: [String] = []

        @Option(
            help: ArgumentHelp(
                "Closes connections that ask nothing for so long. (default: 60s)", valueName: "duration"),
            transform: DurationArgument.init(parsing:))
        var idleTimeout = DurationArgument(.seconds(60))

        @Option(
            help: ArgumentHelp(
                "Closes connections whose request takes longer from its first byte to its last. (default: 10s)",
                valueName: "duration"),
            transform: DurationArgument.init(parsing:))
        var headerTimeout = DurationArgument(.seconds(10))

        @Option(
            help: ArgumentHelp(
                "Memory for answers that clients have not read yet; beyond it slow readers are closed. (default: a share of --memory-limit, 128MiB at most)",
                valueName: "bytes"), transform: NumberArgument.bytes)
        var unreadMemory: Int?

        func validate() throws {
            for (name, value) in [("--idle-timeout", idleTimeout), ("--header-timeout", headerTimeout)]
            where value.duration == .zero {
                throw ValidationError("\(name) must be more than 0.")
            }
        }

        var limits: ThumbnailServer.Limits {
            var limits = ThumbnailServer.Limits()
            (limits.idle, limits.request) = (idleTimeout.duration, headerTimeout.duration)
            if let unreadMemory { limits.unreadBytes = unreadMemory }
            return limits
        }

        var front: ThumbnailServer.Front {
            var front = ThumbnailServer.Front()
            // Each was read once when the options were.
            front.proxies = (try? TrustedProxies(trustedProxy)) ?? TrustedProxies()
            front.access.mode = unixSocketMode
            front.access.group = unixSocketGroup
            return front
        }

        @Sendable private static func proxy(_ text: String) throws -> String {
            do throws(ImageError) { _ = try TrustedProxies([text]) } catch { throw ValidationError(error.message) }
            return text
        }

        @Sendable private static func mode(_ text: String) throws -> mode_t {
            guard let mode = mode_t(text, radix: 8), mode <= 0o777 else {
                throw ValidationError("a mode is three octal digits, like 0660 or 0666.")
            }
            return mode
        }

        @Sendable private static func group(_ text: String) throws -> gid_t {
            if let number = gid_t(text) { return number }
            guard let entry = getgrnam(text) else { throw ValidationError("this machine has no such group.") }
            return entry.pointee.gr_gid
        }
    }
#endif
