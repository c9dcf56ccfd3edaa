#if Server
    public import GannetCore
    import GannetFetch
    import GannetPlatform

    /// Options that addresses call by a name: `thumb=rs:fill:200:200/q:70`, a line each. The preset `default` applies to every
    /// path.
    public struct Presets: Sendable {
        /// The parts of each preset's path.
        var named: [String: [String]] = [:]
        /// Addresses name presets, and no options.
        public var areRequired = false

        /// None.
        public init() {}

        /// Throws `misuse`, with the number of the line, for what an address could not say either.
        public init(parsing text: String) throws(ImageError) {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.trimmedOWS() }
            for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
                let pair = line.split(separator: "=", maxSplits: 1).map { String($0) }
                guard pair.count == 2, !pair[0].contains(where: { ":/".contains($0) }), named[pair[0]] == nil else {
                    throw ImageError(
                        .misuse, stage: .resolve, "Line \(index + 1) of the presets is not NAME=OPTION/OPTION, or repeats a name."
                    )
                }
                named[pair[0]] = pair[1].split(separator: "/").map { String($0) }
            }
            for name in named.keys.sorted() {
                var reader = OptionReader(presets: self)
                do throws(ImageError) {
                    try reader.apply(preset: name)
                } catch {
                    throw ImageError(.misuse, stage: .resolve, "The preset \(name) is not right: \(error.message)")
                }
            }
        }

        /// Reads a file of at most 1 MiB.
        public init(path: String) throws(ImageError) {
            let bytes = try POSIXFileSystem().read(WorkingFolder.absolute(path), maximumBytes: 1 << 20, nofollow: false)
            try self.init(parsing: String(decoding: bytes, as: UTF8.self))
        }
    }
#endif
