#if CommandLine && HTTP
    import ArgumentParser
    import GannetCore
    import GannetHTTP

    /// How to reach servers.
    struct NetworkOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "Asks servers through this proxy, http://, https:// or socks5://, but not those of $no_proxy. (default: $https_proxy and its kin)",
                valueName: "url"),
            transform: Self.parse)
        var proxy: CURLTransport.Proxy?

        @Flag(help: "Asks servers directly, whatever the environment says.")
        var noProxy = false

        func validate() throws {
            if noProxy, proxy != nil { throw ValidationError("--proxy and --no-proxy exclude each other.") }
        }

        var proxies: CURLTransport.Proxies {
            if noProxy { return .none }
            let found = CURLTransport.Proxies.fromEnvironment
            return proxy.map { found.replacing(with: $0) } ?? found
        }

        @Sendable private static func parse(_ text: String) throws -> CURLTransport.Proxy {
            do throws(ImageError) { return try CURLTransport.Proxy(text) } catch { throw ValidationError(error.message) }
        }
    }
#endif
