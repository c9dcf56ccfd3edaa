#if CommandLine
    import GannetCore
    import GannetPipeline

    extension DiskCacheItem {
        /// The key on one line: its parts apart by spaces.
        var shownKey: String { Console.clean(key.text) }

        /// The key itself, the key as it is shown, or the source it begins with.
        func matches(_ text: String) -> Bool {
            if key.text == text || shownKey == text { return true }
            let source = key.text.prefix { $0 != "\u{1}" }
            return source == text || source.hasSuffix(" " + text) || source == "file://" + SourceArgument.absolute(text)
        }

        func json(now: Timestamp) -> JSON {
            .object([
                ("key", .string(key.text)), ("format", .optional(metadata.format)), ("bytes", .integer(payloadBytes)),
                ("fileBytes", .integer(fileBytes)), ("storedAt", .integer(Int(metadata.storedAt.milliseconds))),
                ("lastUsed", .integer(Int(metadata.lastUsed.milliseconds))),
                ("ageSeconds", .number((now - metadata.storedAt).seconds)),
                ("freshUntil", .optional(metadata.freshness.freshUntil.map { Int($0.milliseconds) })),
                ("fresh", .bool(metadata.freshness.isFresh(at: now))),
                ("expires", .optional(expires.map { Int($0.milliseconds) })), ("partial", .bool(metadata.isPartial)),
                ("status", .optional(metadata.http?.status)), ("etag", .optional(metadata.freshness.etag)),
                ("lastModified", .optional(metadata.freshness.lastModified)), ("url", .optional(metadata.http?.url)),
            ])
        }

        func row(now: Timestamp) -> [String] {
            [
                Readable.bytes(fileBytes), Readable.age(now - metadata.storedAt), Readable.age(now - metadata.lastUsed),
                freshness(now), metadata.format ?? "?", shownKey,
            ]
        }

        func details(now: Timestamp, path: String) -> [String] {
            var lines = [
                "key        \(shownKey)", "file       \(path)",
                "size       \(Readable.bytes(payloadBytes)), \(Readable.bytes(fileBytes)) on disk",
                "format     \(metadata.format ?? "unknown")\(metadata.isPartial ? ", a part kept for resuming" : "")",
                "stored     \(Readable.age(now - metadata.storedAt)) ago",
                "last use   \(Readable.age(now - metadata.lastUsed)) ago",
                "freshness  \(freshness(now))",
                "ends       \(expires.map { "in \(Readable.age($0 - now))" } ?? "never")",
            ]
            if let etag = metadata.freshness.etag { lines.append("etag       \(Console.clean(etag))") }
            if let date = metadata.freshness.lastModified { lines.append("modified   \(Console.clean(date))") }
            if let http = metadata.http {
                lines.append("answer     \(http.status) from \(Console.clean(http.url))")
                lines += http.headers.fields.map { "           \(Console.clean($0.name)): \(Console.clean($0.value))" }
            }
            return lines
        }

        private func freshness(_ now: Timestamp) -> String {
            guard let until = metadata.freshness.freshUntil else { return "always" }
            return now < until ? "for \(Readable.age(until - now))" : "stale"
        }
    }
#endif
