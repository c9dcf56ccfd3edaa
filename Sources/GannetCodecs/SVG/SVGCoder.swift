#if SVG
    public import GannetCore

    /// SVG through librsvg: drawn at the size asked for, larger or smaller than the document's own.
    ///
    /// Nothing outside of the document is loaded: no files, no addresses, no external entities, no external styles. What it refers to
    /// that way is left out. Pictures inside the document (`data:`) are drawn if they are PNG, JPEG, GIF or SVG (WebP where
    /// gdk-pixbuf reads it), within the limit of pixels. Text takes the fonts of the system. Scripts and animations are not run.
    ///
    /// librsvg runs in a process of its own, which is ended at `maximumDecodeTime`, on cancellation, and when it takes too much memory; what ends it is the
    /// error `limitExceeded`. It is this program, started once more, and is kept for later documents; see `LimitsAndUntrustedPictures`.
    ///
    /// Documents packed with gzip (`.svgz`) are read too; unpacked they may be as long as a file (``DecodeLimits/maximumEncodedBytes``).
    public struct SVGCoder: ImageCoder {
        /// Has no settings, and starts no process before the first document.
        public init() {}

        public var identifier: String { "svg" }
        public var formats: [ImageFormat] { [.svg] }

        public func recognizes(_ head: Span<UInt8>) -> Recognition { SVGSniffer.recognizes(head) }

        public func makeDecoder(
            for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
        ) throws(ImageError) -> any ImageDecoder {
            guard format == .svg else {
                throw ImageError(.unsupported, stage: .decode, "The SVG coder does not know \(format).")
            }
            return WholeFileDecoder<SVGFile>(options: options, environment: environment)
        }

        public func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? { nil }
    }
#endif
