#if CommandLine
    import GannetCore
    import GannetSupport

    extension ImageError {
        /// The message in the command's words: options instead of the library's names, no second mention of the file that stands
        /// before it, and no password that `source` may have.
        func advice(on source: String, in invocation: Invocation = .current) -> String {
            var text = Self.withoutPath(message, source)
            let shown = TextRedaction.text(source)
            if shown != source { text = text.replacing(source, with: shown) }
            for remedy in Remedy.all where text.contains(remedy.words) {
                text = text.replacing(remedy.words, with: remedy.text(in: invocation))
            }
            return text
        }

        /// `open of PATH failed: reason` becomes `It cannot be opened: reason`.
        private static func withoutPath(_ message: String, _ source: String) -> String {
            guard source != "-", case .file(let path) = SourceArgument.meaning(source) else { return message }
            var text = message
            for (call, verb) in [("open", "opened"), ("read", "read"), ("fstat", "read"), ("stat", "read")] {
                text = text.replacing("\(call) of \(ByteText.shown(path)) failed", with: "It cannot be \(verb)")
            }
            for own in [ByteText.shown(path), source] where text.hasPrefix(own + " ") { text = "It" + text.dropFirst(own.count) }
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

    /// A remedy in an error message, and what a user of the command can do instead.
    private struct Remedy {
        /// The words of the message, from the mark or space before them on.
        var words: String
        var ways: [Way]

        enum Way {
            /// An option that helps if it was not given: the text before its name.
            case option(String, String)
            /// A limit, which can be raised further.
            case limit(String)
            /// The option alone, for a sentence that says the rest.
            case name(String)
        }

        /// Empty if the running command has no option that would help.
        func text(in invocation: Invocation) -> String {
            let ways = ways.compactMap { way -> String? in
                switch way {
                case .option(let text, let option): invocation.newName(of: option).map { text + $0 }
                case .limit(let option): invocation.name(of: option).map { "raise " + $0 }
                case .name(let option): invocation.name(of: option) ?? words
                }
            }
            // The end of a sentence whose first half stays.
            guard let first = ways.first?.first else { return words.last == "." && words.first != " " ? "." : "" }
            let start = words.prefix { $0 == " " || $0 == "," || $0 == ";" }
            var text = ways.joined(separator: ", or ")
            // The same kind of sentence, or of half one.
            if start == " " { text = first.uppercased() + text.dropFirst() } else if start == ", " { text = "or " + text }
            return "\(start)\(text)\(words.last == "." ? "." : "")"
        }

        private static let smaller = Way.option("make it smaller with ", "--thumbnail")

        private static let limits = [
            ("maximumPixels", "--max-pixels"), ("maximumDecodedBytes", "--max-memory"), ("maximumEncodedBytes", "--max-bytes"),
            ("maximumFrames", "--max-frames"), ("maximumDecodeTime", "--decode-time"), ("maximumFileSize", "--max-file-size"),
        ]

        /// Longer ones first.
        static let all = sentences + names

        private static let sentences = [
            Remedy(
                words: ", or set allowsPartial to show what is there",
                ways: [.option("see what is there with ", "--allow-partial")]),
            Remedy(
                words: " Ask for a smaller target size or raise maximumDecodedBytes.", ways: [smaller, .limit("--max-memory")]),
            Remedy(
                words: " Raise maximumDecodeTime or ask for a smaller target size.", ways: [.limit("--decode-time"), smaller]),
            Remedy(words: " Raise it or ask for a smaller target size.", ways: [.limit("--decode-time"), smaller]),
            Remedy(words: " Ask for a smaller size or raise maximumDecodeTime.", ways: [smaller, .limit("--decode-time")]),
            Remedy(words: " Ask for a smaller target size.", ways: [smaller]),
            Remedy(words: " Set maximumPixelSize.", ways: [smaller]), Remedy(words: "; set maximumPixelSize", ways: [smaller]),
            Remedy(words: " Raise the decode limits.", ways: [.limit("--max-pixels"), .limit("--max-memory")]),
            Remedy(words: "; raise maximumFileSize or choose another format.", ways: [.limit("--max-file-size")]),
            Remedy(words: "; let them be decoded when they are shown.", ways: [.limit("--max-memory")]),
            // These have no option: what needs more is hostile.
            Remedy(words: " Ask for the first frame only, or raise maximumAnimationPixels.", ways: []),
            Remedy(words: " Raise maximumMetadataBytes to allow it.", ways: []),
            Remedy(words: " Raise it to decode this one.", ways: []), Remedy(words: " than maximumScans allows", ways: []),
            // The command's own.
            Remedy(words: ", or replace it with --force.", ways: [.option("replace it with ", "--force")]),
            Remedy(words: ", or leave it with --skip-existing.", ways: [.option("leave it with ", "--skip-existing")]),
            Remedy(
                words: " Take the images in it with --recursive.", ways: [.option("take the images in it with ", "--recursive")]),
        ]

        private static let names = limits.flatMap { name, option -> [Remedy] in
            [
                Remedy(words: " Raise \(name) to allow it.", ways: [.limit(option)]),
                Remedy(words: " Raise \(name).", ways: [.limit(option)]), Remedy(words: name, ways: [.name(option)]),
            ]
        }
    }
#endif
