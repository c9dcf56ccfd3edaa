#if Server
    import FoundationEssentials
    package import GannetCore
    import GannetFetch

    /// Where traces go and as whose, from options and from OpenTelemetry's variables of the environment.
    ///
    /// - OTLP exporter configuration: https://opentelemetry.io/docs/specs/otel/protocol/exporter/
    package struct TraceSettings: Sendable {
        let url: URL
        /// Secrets, which are printed nowhere.
        let headers: [(String, String)]
        /// Attributes of the service.
        let resource: [(String, String)]
        /// Of traces that are recorded, 0 … 1.
        package let ratio: Double

        /// Nil: there is no collector. Throws `misuse` where a value is wrong, without repeating it.
        ///
        /// - Parameter endpoint: `http://host[:port][/path]`; without a path it is `/v1/traces`. Nil: as the variables say.
        /// - Parameter ratio: nil: as `OTEL_TRACES_SAMPLER_ARG` says, else 1.
        package init?(
            endpoint: String?, ratio: Double?, version: String, variable: (String) -> String?
        ) throws(ImageError) {
            func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
            let ofTraces = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
            let ofAll = "OTEL_EXPORTER_OTLP_ENDPOINT"
            if let endpoint {
                let url = try Self.url(endpoint, "--traces")
                self.url = url.parts.target == "/" ? Self.withPath(url) : url
            } else if let text = value(ofTraces) {
                url = try Self.url(text, ofTraces)
            } else if let text = value(ofAll) {
                url = Self.withPath(try Self.url(text, ofAll))
            } else {
                return nil
            }
            let argument = "OTEL_TRACES_SAMPLER_ARG"
            let share = ratio ?? value(argument).map { Double($0) ?? -1 } ?? 1
            guard (0...1).contains(share) else {
                throw Self.wrong("\(ratio == nil ? argument : "--trace-ratio"): a ratio is 0 to 1, like 0.01.")
            }
            self.ratio = share
            let names = ["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS"]
            let name = names.first { value($0) != nil }
            headers = try name.map { name throws(ImageError) in try Self.pairs(value(name) ?? "", name) } ?? []
            var resource = try Self.pairs(value("OTEL_RESOURCE_ATTRIBUTES") ?? "", "OTEL_RESOURCE_ATTRIBUTES")
            if let service = value("OTEL_SERVICE_NAME") {
                resource.removeAll { $0.0 == "service.name" }
                resource.append(("service.name", service))
            }
            for own in [("service.name", "gannet"), ("service.version", version)]
            where !resource.contains(where: { $0.0 == own.0 }) { resource.append(own) }
            self.resource = resource
        }

        private static func withPath(_ url: URL) -> URL {
            var parts = url.parts
            parts.path += parts.path.hasSuffix("/") ? "v1/traces" : "/v1/traces"
            return URL(parts) ?? url
        }

        private static func url(_ text: String, _ name: String) throws(ImageError) -> URL {
            guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased() ?? ""),
                let host = url.host, !host.isEmpty, url.user == nil, url.password == nil, url.query == nil, url.fragment == nil,
                (1...65_535).contains(url.port ?? 80)
            else {
                throw wrong(
                    "\(name): a collector is written like http://127.0.0.1:4318. Tokens belong into OTEL_EXPORTER_OTLP_HEADERS.")
            }
            return url
        }

        /// `name=value,name=value`, percent-encoded as in the field `baggage`.
        private static func pairs(_ text: String, _ name: String) throws(ImageError) -> [(String, String)] {
            var pairs: [(String, String)] = []
            for part in text.split(separator: ",") {
                let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { $0.trimmedOWS() }
                guard words.count == 2, let value = decoded(words[1]), !words[0].isEmpty,
                    words[0].utf8.allSatisfy({ (33...126).contains($0) && $0 != UInt8(ascii: ":") })
                else { throw wrong("\(name) is written like name=value,name=value, percent-encoded.") }
                pairs.append((String(words[0]), value))
            }
            return pairs
        }

        /// Nil: it is no text, or has control characters, which no field can have.
        private static func decoded(_ text: String) -> String? {
            guard let decoded = PercentEncoding.strictlyDecoded(text) else { return nil }
            return decoded.utf8.contains { $0 < 32 || $0 == 127 } ? nil : decoded
        }

        private static func wrong(_ text: String) -> ImageError { ImageError(.misuse, stage: .resolve, text) }
    }

    extension TraceSettings: CustomStringConvertible, CustomReflectable {
        /// Without the fields, which have secrets.
        package var description: String { url.absoluteString }
        package var customMirror: Mirror { Redaction.mirror(of: self) }
    }
#endif
