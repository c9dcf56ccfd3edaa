#if Server
    import GannetCore

    /// The path of a file below a folder: names with slashes between them, none of which means another folder.
    struct FolderPath: Equatable, Sendable {
        /// Without a slash at its beginning.
        let text: String

        /// `path`: not encoded, with a slash at its beginning, as after `local://`. Every other byte is part of a name. Throws `misuse`.
        init(_ path: String) throws(ImageError) {
            guard path.hasPrefix("/") else { throw Self.wrong("it is written like local:///a/b.jpg, with three slashes") }
            let bytes = ByteText.bytes(of: path)
            let names = bytes.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            for name in names {
                if name.isEmpty { throw Self.wrong("a name in it is empty") }
                if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) { throw Self.wrong("it contains . or ..") }
                if name.contains(0) { throw Self.wrong("it contains a zero byte") }
                if name.count > 255 { throw Self.wrong("a name in it is longer than 255 bytes") }
            }
            // PATH_MAX, with the zero byte at its end.
            guard bytes.count < 4096 else { throw Self.wrong("it is longer than 4,095 bytes") }
            text = String(path.dropFirst())
        }

        private static func wrong(_ why: String) -> ImageError {
            ImageError(.misuse, stage: .resolve, "The source is no file of this service's folder: \(why).")
        }
    }
#endif
