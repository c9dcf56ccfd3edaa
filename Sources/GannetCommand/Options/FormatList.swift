#if CommandLine && Server
    import ArgumentParser
    import GannetCore
    import GannetImages

    /// Formats that are read, separated by commas: `jpeg,png,webp`.
    struct FormatList {
        var formats: Set<ImageFormat>

        init(parsing text: String) throws {
            let read = Assembly.coders.formats
            formats = Set(
                try text.split(separator: ",", omittingEmptySubsequences: false).map { name in
                    guard let format = KnownFormats.named(String(name)), read.contains(format) else {
                        throw ValidationError(
                            "there is no such format: \(name). This gannet reads \(read.map(\.identifier).joined(separator: ", "))."
                        )
                    }
                    return format
                })
        }
    }
#endif
