#if CommandLine && HTTP
    import GannetCore
    import GannetFetch

    /// Keeps answers as they were sent. A stored answer is sent again byte for byte, with the same tag, whichever store or
    /// replica it comes from. Failures are misses: an answer can always be made again.
    protocol AnswerStore: Sendable {
        /// Stale answers too: their validators and bytes may still be right.
        func answer(for key: AnswerKey) async -> StoredAnswer?
        /// Replaces what is there. Not called for answers that may not be stored.
        func store(_ answer: StoredAnswer, for key: AnswerKey) async
    }

    /// The answer to an address, and how long it may be sent again.
    struct StoredAnswer: Sendable {
        var mimeType: String
        /// A strong entity tag with its quotes (RFC 9110 §8.8.3), made from the bytes alone.
        var tag: String
        var bytes: [UInt8]
        /// That of the source.
        var freshness: Freshness

        init(mimeType: String, bytes: [UInt8], freshness: Freshness) {
            self.mimeType = mimeType
            self.bytes = bytes
            self.freshness = freshness
            tag = "\"\(String(Checksum.xxh3(bytes), radix: 16))-\(bytes.count)\""
        }
    }

    /// The address without its signature, and the format that was negotiated: addresses with this key have the same answer.
    struct AnswerKey: Hashable, Sendable {
        let source: String
        /// ``ProcessingOptions/keyText`` and the format, or the formats to choose from.
        let making: String

        init(_ address: ThumbnailAddress, _ choice: FormatChoice) {
            source = address.source
            making = address.options.keyText + "|" + (choice.format?.identifier ?? "by image")
        }

        /// For stores that outlive the process. A digest, because addresses of sources may contain secrets; all answers of a
        /// source begin alike.
        var stored: CacheKey { CacheKey(Self.digest(source) + "/" + Self.digest(making)) }

        private static func digest(_ text: String) -> String {
            var digest = SHA256()
            digest.update(text.utf8)
            return digest.finish()
        }
    }
#endif
