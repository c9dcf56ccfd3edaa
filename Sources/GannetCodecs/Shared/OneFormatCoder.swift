package import GannetCore

/// A coder of one format, whose name it has. It is asked for that format alone.
package protocol OneFormatCoder: ImageCoder {
    static var format: ImageFormat { get }
    func makeDecoder(_ options: ResolvedDecodeOptions, _ environment: DecodeEnvironment) -> any ImageDecoder
    /// Nil: it only decodes, as by default.
    func makeEncoder(_ options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)?
}

extension OneFormatCoder {
    package var identifier: String { Self.format.identifier }
    package var formats: [ImageFormat] { [Self.format] }

    package func makeEncoder(_ options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? { nil }

    package func makeDecoder(
        for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
    ) throws(ImageError) -> any ImageDecoder {
        try check(format, .decode)
        return makeDecoder(options, environment)
    }

    package func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
        try check(format, .encode)
        return try makeEncoder(options)
    }

    private func check(_ format: ImageFormat, _ stage: LoadStage) throws(ImageError) {
        guard format == Self.format else {
            throw ImageError(
                .unsupported, stage: stage,
                "The \(identifier) coder was asked for \(format); register a coder that knows it.")
        }
    }
}
