#if CommandLine
    import GannetCache
    import GannetCore
    import GannetSupport

    extension DiskCacheItem {
        /// The key on one line, with spaces between its parts.
        var shownKey: String { Console.clean(TextRedaction.key(key.text)) }

        /// True for the key itself, the key as displayed, and the source that it begins with. `scopeKey` is the cache's.
        func matches(_ text: String, _ scopeKey: () -> ScopeKey) -> Bool {
            if [key.text, TextRedaction.key(key.text), shownKey].contains(text) { return true }
            let source = key.text.prefix { $0 != "\u{1}" }
            return [text, SourceArgument.meaning(text).keyText].contains { source == SecretParameters.sealed($0, scopeKey) }
        }

        /// When `fetch` stops using the entry. The cache opened here has no maximum age, so the standard one is applied.
        private var end: Timestamp? {
            if let expires { return expires }
            guard metadata.expiration == .standard, let age = DiskCacheConfiguration().maximumAge else { return nil }
            return metadata.lastUsed + age
        }

        /// `fresh 3 h`, `stale 5 min`, or `–` if the source says nothing.
        func freshness(_ now: Timestamp) -> String {
            guard let until = metadata.freshness.freshUntil else { return "–" }
            return now < until ? "fresh " + Readable.age(until - now) : "stale " + Readable.age(now - until)
        }

        func facts(now: Timestamp) -> [(String, String)] {
            var facts = [
                ("bytes", "\(payloadBytes) (file \(fileBytes))"), ("format", metadata.format ?? "–"),
                ("stored", Readable.age(now - metadata.storedAt) + " ago"),
                ("last used", Readable.age(now - metadata.lastUsed) + " ago"), ("freshness", freshness(now)),
                ("ends", end.map { $0 <= now ? "now" : "in " + Readable.age($0 - now) } ?? "never"),
            ]
            if let etag = metadata.freshness.etag { facts.append(("ETag", etag)) }
            if let modified = metadata.freshness.lastModified { facts.append(("Last-Modified", modified)) }
            if let http = metadata.http { facts.append(("response", "\(http.status) of \(http.url)")) }
            if metadata.isPartial { facts.append(("partial", "yes")) }
            if !metadata.extended.isEmpty { facts.append(("extended data", "\(metadata.extended.count) bytes")) }
            return facts
        }

        func json(now: Timestamp) -> JSON {
            func seconds(_ duration: Duration) -> JSON { .number(duration.seconds) }
            return .object([
                ("key", .string(TextRedaction.key(key.text))), ("format", .optional(metadata.format)),
                ("bytes", .integer(payloadBytes)),
                ("fileBytes", .integer(fileBytes)), ("ageSeconds", seconds(now - metadata.storedAt)),
                ("unusedSeconds", seconds(now - metadata.lastUsed)),
                ("fresh", .bool(metadata.freshness.isFresh(at: now))),
                ("freshForSeconds", metadata.freshness.freshUntil.map { seconds($0 - now) } ?? .null),
                ("endsInSeconds", end.map { seconds($0 - now) } ?? .null), ("etag", .optional(metadata.freshness.etag)),
                ("lastModified", .optional(metadata.freshness.lastModified)), ("status", .optional(metadata.http?.status)),
                ("url", .optional(metadata.http?.url)), ("partial", .bool(metadata.isPartial)),
            ])
        }
    }
#endif
