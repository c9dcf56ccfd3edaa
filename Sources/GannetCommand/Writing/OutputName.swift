#if CommandLine
    import FoundationEssentials
    import GannetCore
    import GannetSupport

    /// The name of a file in an output folder.
    struct OutputName {
        /// The name without folders, and with a number if it was taken.
        var stem: String
        /// The extension with its dot.
        var ending: String
        /// The longest name of the file system, in bytes (NAME_MAX).
        private static let longest = 255

        /// The source's own name. Its extension stays if it belongs to the format.
        init(for source: String, _ format: ImageFormat?) {
            let (stem, old) = Self.split(Self.name(for: source))
            let keeps = old.map { format?.fileExtensions.contains($0.lowercased()) ?? true } ?? false
            self.stem = stem
            ending = (keeps ? old : format?.fileExtensions.first).map { "." + $0 } ?? ""
        }

        /// The name with a number behind its stem, from 2 on. The stem of a name that no file can have is cut.
        func numbered(_ number: Int) -> OutputName {
            var result = self
            let end = number > 1 ? "-\(number)" : ""
            let room = Self.longest - ByteText.bytes(of: end + ending).count
            while ByteText.bytes(of: result.stem).count > room { result.stem.unicodeScalars.removeLast() }
            result.stem += end
            return result
        }

        var text: String { stem + ending }

        /// A file's name, as it is. Of a URL the last part of its path: servers choose it, so it is no hidden file, looks like no option,
        /// and says nothing to the terminal.
        static func name(for source: String) -> String {
            if source == "-" { return "stdin" }
            switch SourceArgument.meaning(source) {
            case .file(let path):
                let name = path.utf8.split(separator: UInt8(ascii: "/")).last.flatMap { String($0) } ?? ""
                return ["", ".", ".."].contains(name) ? "image" : name
            case .url(let url) where url.scheme?.lowercased() == "data": return "data"
            default: return webName(TextRedaction.text(source))
            }
        }

        private static func webName(_ url: String) -> String {
            let path = url.prefix { $0 != "?" && $0 != "#" }
            let part = path.split(separator: "/").last.map(String.init) ?? "image"
            let safe = ByteText.text(of: PercentEncoding.decoded(part.utf8)).unicodeScalars.map { scalar -> Character in
                let isFine = scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) && scalar != "/"
                return isFine ? Character(scalar) : "_"
            }
            let name = String(String(safe).drop { $0 == "." || $0 == "-" || $0 == " " }.prefix(120))
            return name.isEmpty ? "image" : name
        }

        /// Splits `a.b.png` into `a.b` and `png`; only extensions of known formats count.
        static func split(_ name: String) -> (stem: String, extension: String?) {
            guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return (name, nil) }
            let ending = String(name[name.index(after: dot)...])
            return ending.utf8.contains(UInt8(ascii: "/")) || KnownFormats.named(ending) == nil
                ? (name, nil) : (String(name[..<dot]), ending)
        }
    }
#endif
