#if PDF
    import GannetCore

    /// One document: the requested page, or the first, drawn at the requested size.
    struct PDFFile: WholeFileFormat {
        static let headerBytes = Int.max
        static let needsAllBytes = true

        private let programs: PDFPrograms
        private let page: PDFPage
        /// The number of ``page``, from 0.
        private let number: Int
        private let environment: DecodeEnvironment
        let header: ImageHeader
        let outputSize: PixelSize

        init?(head: [UInt8], isComplete: Bool, options: ResolvedDecodeOptions, environment: DecodeEnvironment) throws(ImageError)
        {
            guard isComplete else { return nil }
            self.environment = environment
            programs = try PDFPrograms(environment)
            let bytes = ByteRope(head)
            var asked = 0
            if case .index(let index) = options.frames, index < min(environment.limits.maximumFrames, 1 << 30) {
                asked = max(0, index)
            }
            (page, number) = try Self.page(asked, of: bytes, programs)
            guard page.count <= environment.limits.maximumFrames else {
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "The PDF has \(page.count) pages; the limit is \(environment.limits.maximumFrames). Raise maximumFrames to allow it."
                )
            }
            var header = ImageHeader(format: .pdf, size: try page.size, isVector: true)
            header.pageCount = page.count
            self.header = header
            outputSize = options.scaledSize(for: header)
        }

        /// The page, or the first one if there is no such page, which the caller finds by the number of pages.
        private static func page(
            _ asked: Int, of bytes: ByteRope, _ programs: PDFPrograms
        ) throws(ImageError) -> (PDFPage, Int) {
            do throws(ImageError) { return (try programs.page(asked, of: bytes), asked) } catch {
                guard asked > 0, error.code == .corrupt || error.code == .truncated else { throw error }
                let first = try programs.page(0, of: bytes)
                if asked < first.count { throw error }
                return (first, 0)
            }
        }

        mutating func decode(
            _ index: Int, of bytes: [UInt8], into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) -> Bool {
            guard index == number else {
                throw ImageError(
                    .misuse, stage: .decode,
                    "Page \(number) of the PDF was opened, not page \(index). Ask for it with FrameSelection.index.")
            }
            try watch.check()
            // For the bitmap that the program draws into.
            let reservation = try environment.reserve(buffer.layout.byteCount)
            defer { withExtendedLifetime(reservation) {} }
            try programs.draw(page, number, of: ByteRope(bytes), into: &buffer)
            return true
        }
    }
#endif
