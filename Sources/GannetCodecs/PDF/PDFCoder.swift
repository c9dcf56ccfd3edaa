#if PDF
    public import GannetCore

    /// Pages of PDF documents through poppler's programs `pdfinfo` and `pdftoppm`, which are looked for when a document is read. Decodes
    /// only, at any size.
    ///
    /// The programs run in the sandbox, once for each file, and get nothing but its bytes. They know neither scripts nor actions of a
    /// document, and no password is given to them. No library is linked.
    package struct PDFCoder: OneFormatCoder, ProgramConfined {
        /// Has no options.
        package init() {}

        package var needsOwnThread: Bool { true }
        package static var format: ImageFormat { .pdf }

        /// Bytes before the mark are allowed by readers, and written by servers and mail programs.
        private static let searchedBytes = 1024

        package func recognizes(_ head: Span<UInt8>) -> Recognition {
            let mark: [UInt8] = Array("%PDF-".utf8)
            let count = min(head.count, Self.searchedBytes)
            for start in 0...max(0, count - mark.count) where count >= mark.count {
                if mark.indices.allSatisfy({ head[start + $0] == mark[$0] }) { return .yes(.pdf) }
            }
            return head.count < Self.searchedBytes ? .needsMoreBytes(Self.searchedBytes) : .no
        }

        package func makeDecoder(_ options: ResolvedDecodeOptions, _ environment: DecodeEnvironment) -> any ImageDecoder {
            WholeFileDecoder<PDFFile>(options: options, environment: environment)
        }
    }

    extension ImageFormat {
        /// Pages of documents, drawn on white. Decoded with the trait `PDF` where poppler's programs are installed, in the sandbox alone;
        /// never written.
        public static let pdf = ImageFormat(
            identifier: "pdf", mimeTypes: ["application/pdf", "application/x-pdf"], fileExtensions: ["pdf"])
    }
#endif
