#if CommandLine
    import Gannet
    import GannetCommandSupport
    import GannetCore

    /// The result that `gannet convert` prints for one source.
    struct ConvertReport: Sendable {
        var format: String?
        var size: PixelSize
        var frames: Int
        /// Of the image that was to be written.
        var framesBefore: Int
        var bytes: Int
        /// The file ends early or is damaged.
        var isPartial: Bool
        var milliseconds = 0.0
        var output: String

        var frameNote: String? { WrittenImage.frameNote(had: framesBefore, wrote: frames) }

        func json(source: String) -> JSON {
            var fields: [(String, JSON)] = [
                ("source", .string(source)), ("ok", .bool(true)), ("format", .optional(format)), ("width", .integer(size.width)),
                ("height", .integer(size.height)), ("frames", .integer(frames)), ("bytes", .integer(bytes)),
                ("milliseconds", .number(milliseconds)), ("output", .string(output)),
            ]
            if isPartial { fields.append(("partial", .bool(true))) }
            return .object(fields)
        }

        static func skipped(source: String, _ path: String) -> JSON {
            .object([("source", .string(source)), ("ok", .bool(true)), ("skipped", .bool(true)), ("output", .string(path))])
        }

        func line(source: String) -> String {
            var what = "\(format ?? "image") \(size.width)×\(size.height)"
            if frames > 1 { what += ", \(frames) frames" }
            if isPartial { what += PartialOptions.remark }
            return
                "\(Console.clean(source)) → \(Console.clean(output)): \(what), \(Readable.bytes(bytes)) in \(milliseconds.fixed(1)) ms"
        }
    }
#endif
