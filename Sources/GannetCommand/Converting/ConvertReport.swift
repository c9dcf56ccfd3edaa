#if CommandLine
    import Gannet
    import GannetCore
    import GannetSupport

    /// The result that `gannet convert` prints for one source.
    struct ConvertReport: Sendable {
        var format: ImageFormat?
        var size: PixelSize
        var frames: Int
        /// Frames of the image that was to be written.
        var framesBefore: Int
        /// Pages of the source, of which one was written.
        var pages = 1
        /// Chosen with `--page`.
        var page: Int?
        /// How another one is chosen.
        var choosingSecond = "--page 1"
        var bytes: Int
        /// The file ends early or is damaged.
        var isPartial: Bool
        /// Why light brighter than white or the source's gain map is not in the file; nil: it is, there is none, or it was not wanted.
        var lightLoss: String?
        /// Of the source's Content Credentials.
        var credentialBytes = 0
        var milliseconds = 0.0
        var output: String

        /// Parts of the source that are not in the file.
        var notes: [String] {
            let note =
                pages > 1 && page == nil
                ? WrittenImage.pageNote(pages, other: choosingSecond)
                : WrittenImage.frameNote(had: framesBefore, wrote: frames, as: format)
            return [note, lightLoss, WrittenImage.credentialsLoss(credentialBytes)].compactMap { $0 }
        }

        func json(source: String) -> JSON {
            var fields: [(String, JSON)] = [
                ("source", .string(source)), ("ok", .bool(true)), ("format", .optional(format?.identifier)),
                ("width", .integer(size.width)),
                ("height", .integer(size.height)), ("frames", .integer(frames)), ("bytes", .integer(bytes)),
                ("milliseconds", .number(milliseconds)), ("output", .string(output)),
            ]
            if isPartial { fields.append(("partial", .bool(true))) }
            if !notes.isEmpty { fields.append(("notes", .array(notes.map { .string($0) }))) }
            return .object(fields)
        }

        static func skipped(source: String, _ path: String) -> JSON {
            .object([("source", .string(source)), ("ok", .bool(true)), ("skipped", .bool(true)), ("output", .string(path))])
        }

        func line(source: String) -> String {
            var what = "\(format?.identifier ?? "image") \(size.width)×\(size.height)"
            if frames > 1 { what += ", \(frames) frames" }
            if isPartial { what += PartialOptions.remark }
            return
                "\(Console.clean(source)) → \(Console.clean(output)): \(what), \(Readable.bytes(bytes)) in \(milliseconds.fixed(1)) ms"
        }
    }
#endif
