#if CommandLine && HTTP
    import ArgumentParser
    import GannetCore
    import GannetHTTP

    /// Where the service may connect.
    struct AddressOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "Connects to this network too, as 10.1.2.0/24 or fd00::/8; may be repeated. Without it: to public addresses alone.",
                valueName: "cidr"),
            transform: Self.network)
        var allowNetwork: [String] = []

        @Option(
            help: ArgumentHelp(
                "Connects to this port, and to no other that is not named; may be repeated. (default: 80 and 443)", valueName: "n"
            ),
            transform: Self.port)
        var allowPort: [Int] = []

        var policy: AddressPolicy {
            // Each network was read once when the options were.
            var policy = (try? AddressPolicy(allowing: allowNetwork)) ?? AddressPolicy()
            policy.ports = allowPort.isEmpty ? [80, 443] : Set(allowPort)
            return policy
        }

        @Sendable private static func network(_ text: String) throws -> String {
            do throws(ImageError) { _ = try AddressPolicy(allowing: [text]) } catch { throw ValidationError(error.message) }
            return text
        }

        @Sendable private static func port(_ text: String) throws -> Int {
            guard let port = Int(text), (1...65_535).contains(port) else {
                throw ValidationError("--allow-port is 1 to 65535.")
            }
            return port
        }
    }
#endif
