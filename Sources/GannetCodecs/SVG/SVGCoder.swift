#if SVG
    package import GannetCore

    /// SVG through librsvg: drawn at the requested size, larger or smaller than the document's own.
    ///
    /// Nothing outside the document is loaded: references to files, addresses, external entities and external styles are ignored.
    /// Images inside the document (`data:`) are drawn if they are PNG, JPEG, GIF or SVG (WebP if gdk-pixbuf reads it), within the
    /// pixel limit. Text uses the system's fonts. Scripts and animations do not run.
    ///
    /// librsvg runs in a separate process, which is ended at `maximumDecodeTime`, on cancellation, and when it takes too much
    /// memory. The error is then `limitExceeded`. The process is this program, started once more, and is reused for later
    /// documents; see `LimitsAndUntrustedPictures`.
    ///
    /// Reads gzip-compressed documents (`.svgz`), too; decompressed they may be as long as a file
    /// (``DecodeLimits/maximumEncodedBytes``).
    package struct SVGCoder: OneFormatCoder, WorkerLoadable {
        /// Has no options; starts no process before the first document.
        package init() {}

        package var needsOwnThread: Bool { true }
        package static var format: ImageFormat { .svg }

        package func recognizes(_ head: Span<UInt8>) -> Recognition { SVGSniffer.recognizes(head) }

        package func makeDecoder(_ options: ResolvedDecodeOptions, _ environment: DecodeEnvironment) -> any ImageDecoder {
            WholeFileDecoder<SVGFile>(options: options, environment: environment)
        }
    }
#endif
