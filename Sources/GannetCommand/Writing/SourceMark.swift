#if CommandLine
    import GannetCore
    import GannetPlatform
    import Glibc

    /// Tells which source a file in an output folder was made of, so that an equal name from another folder is not taken for it.
    ///
    /// Two hashes in an extended attribute: one of the source's address, one of its name, size and time. Either is enough: the file may have
    /// been changed, or moved. A file system without such attributes, and a copy without them, tell nothing.
    struct SourceMark {
        private static let attribute = "user.gannet.source"
        private let source: String

        init(of source: String) { self.source = source }

        private var parts: [String] {
            let meaning = SourceArgument.meaning(source)
            var parts = [Self.hash(meaning.keyText)]
            var status = stat()
            if case .file(let path) = meaning, path.withPath({ stat($0, &status) }) == 0 {
                let time = status.st_mtim
                parts.append(Self.hash("\(OutputName.name(for: source)) \(status.st_size) \(time.tv_sec) \(time.tv_nsec)"))
            }
            return parts
        }

        /// Nil: nothing is known.
        func isOn(_ path: String) -> Bool? {
            ExtendedAttribute.value(Self.attribute, of: WorkingFolder.absolute(path)).map { bytes in
                let parts = parts
                return String(decoding: bytes, as: UTF8.self).split(separator: " ").contains { parts.contains(String($0)) }
            }
        }

        func put(on path: String) {
            ExtendedAttribute.set(Self.attribute, to: Array(parts.joined(separator: " ").utf8), of: WorkingFolder.absolute(path))
        }

        private static func hash(_ text: String) -> String { String(Checksum.xxh3(Array(text.utf8)), radix: 16) }
    }
#endif
