#if CommandLine
    import GannetCommandSupport
    import GannetCore
    import GannetCache
    import GannetFetch
    import GannetImages
    import GannetPlatform

    extension ImageError {
        /// The message in the command's words: options instead of the library's names, no second mention of the file that stands
        /// before it, and no password that `source` may have.
        func advice(on source: String) -> String {
            var text = Self.withoutPath(message, source)
            let shown = TextRedaction.text(source)
            if shown != source { text = text.replacing(source, with: shown) }
            for (words, own) in Self.words { text = text.replacing(words, with: own) }
            return text
        }

        /// Sentences first, then the names that are left.
        private static let words = [
            ("or set allowsPartial to show what is there", "or see what is there with --allow-partial"),
            (
                "Ask for a smaller target size or raise maximumDecodedBytes.",
                "Make it smaller with --thumbnail, or raise --max-memory."
            ),
            (
                "Raise maximumDecodeTime or ask for a smaller target size.",
                "Raise --decode-time, or make it smaller with --thumbnail."
            ),
            ("Ask for a smaller size or raise maximumDecodeTime.", "Make it smaller with --thumbnail, or raise --decode-time."),
            ("Ask for a smaller target size.", "Make it smaller with --thumbnail."),
            ("Set maximumPixelSize", "Make it smaller with --thumbnail"),
            ("set maximumPixelSize", "make it smaller with --thumbnail"),
            // These have no option: what needs more is hostile.
            (" Ask for the first frame only, or raise maximumAnimationPixels.", ""),
            (" Raise maximumMetadataBytes to allow it.", ""),
            (
                " has more scans than maximumScans allows; hostile files do that. Raise it to decode this one.",
                " has more scans than any honest one."
            ),
            ("maximumPixels", "--max-pixels"), ("maximumDecodedBytes", "--max-memory"), ("maximumEncodedBytes", "--max-bytes"),
            ("maximumFrames", "--max-frames"), ("maximumDecodeTime", "--decode-time"), ("maximumFileSize", "--max-file-size"),
            ("allowsPartial", "--allow-partial"),
        ]

        /// `open of PATH failed: reason` becomes `It cannot be opened: reason`.
        private static func withoutPath(_ message: String, _ source: String) -> String {
            guard source != "-", case .file(let path) = SourceArgument.meaning(source) else { return message }
            var text = message
            for (call, verb) in [("open", "opened"), ("read", "read"), ("fstat", "read"), ("stat", "read")] {
                text = text.replacing("\(call) of \(path) failed", with: "It cannot be \(verb)")
            }
            for own in [path, source] where text.hasPrefix(own + " ") { text = "It" + text.dropFirst(own.count) }
            return text
        }

        /// The object that `--json` prints for a failure.
        func json(source: String, adding fields: [(String, JSON)] = []) -> JSON {
            .object([("source", .string(source)), ("ok", .bool(false)), ("error", details(on: source))] + fields)
        }

        /// The value of `error` in such an object.
        func details(on source: String) -> JSON {
            .object([
                ("code", .string(code.name)), ("stage", .optional(stage?.rawValue)), ("message", .string(advice(on: source))),
            ])
        }
    }
#endif
