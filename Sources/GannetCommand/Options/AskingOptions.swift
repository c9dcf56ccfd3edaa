#if CommandLine
    import ArgumentParser
    import FoundationEssentials
    import GannetCore

    /// `Name: value`
    struct HeaderArgument {
        var name: String
        var value: String

        init?(argument: String) {
            guard let colon = argument.firstIndex(of: ":"), colon != argument.startIndex else { return nil }
            name = String(argument[..<colon])
            value = String(argument[argument.index(after: colon)...].drop { $0 == " " || $0 == "\t" })
            let isToken = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
            guard isToken, value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { return nil }
        }
    }

    /// How requests are sent, for every command whose sources may be on a server.
    struct AskingOptions: ParsableArguments {
        @Option(
            name: .customLong("header"),
            help: ArgumentHelp("Sent with each request; may be repeated.", valueName: "'Name: value'"))
        var headerTexts: [String] = []

        @Option(help: ArgumentHelp("For servers that ask who you are.", valueName: "name:password"))
        var user: String?

        @Flag(help: "Accepts any certificate from the hosts that are named as sources.")
        var insecure = false

        private var headers: [HeaderArgument] { headerTexts.compactMap(HeaderArgument.init) }

        func validate() throws {
            // The text may contain a secret, so it is not repeated.
            if headers.count < headerTexts.count { throw ValidationError("--header wants 'Name: value'.") }
            if let user, !user.contains(":") { throw ValidationError("--user wants NAME:PASSWORD.") }
        }

        func apply(to request: inout ImageRequest) {
            if !headers.isEmpty { request.download.headers = HTTPHeaders(headers.map { ($0.name, $0.value) }) }
            guard let user else { return }
            let parts = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            request.download.credential = .basic(user: parts[0], password: parts[1])
            request.download.credentialScope = parts[0]
        }

        /// Hosts whose certificates need not be valid.
        func blindlyTrustedHosts(_ sources: [String]) -> Set<String> {
            guard insecure else { return [] }
            return Set(sources.compactMap { URL(asWritten: $0)?.host?.lowercased() })
        }
    }
#endif
