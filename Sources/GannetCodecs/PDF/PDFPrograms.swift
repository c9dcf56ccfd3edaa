#if PDF
    import GannetCore

    /// poppler's programs, run in the sandbox. Only options that poppler has had since version 0.84 of 2020.
    struct PDFPrograms {
        static let package = "poppler-utils"
        /// The facts are in the last lines.
        private static let keptBytes = 64 << 10

        private let sandbox: any DecodeSandbox
        private let limits: DecodeLimits

        init(_ environment: DecodeEnvironment) throws(ImageError) {
            guard let sandbox = environment.places.sandbox else {
                throw ImageError(
                    .sandboxUnavailable, stage: .decode,
                    "PDF is read in a sandbox alone, and there is none: import GannetSandbox and call useSandbox() on the configuration."
                )
            }
            self.sandbox = sandbox
            limits = environment.limits
        }

        /// Facts of page `number`, counted from 0.
        func page(_ number: Int, of bytes: ByteRope) throws(ImageError) -> PDFPage {
            var text: [UInt8] = []
            let end = try sandbox.run(
                ConfinedProgram("pdfinfo", of: Self.package, for: .pdf, ["-f", "\(number + 1)", "-l", "\(number + 1)", "-"]),
                on: bytes, within: limits
            ) { piece throws(ImageError) in
                for index in piece.indices { text.append(piece[index]) }
                if text.count > 2 * Self.keptBytes { text.removeFirst(text.count - Self.keptBytes) }
            }
            guard end.exitCode == 0, let page = PDFPage(text) else { throw Self.error(end, bytes) }
            return page
        }

        /// Draws it over the whole buffer.
        func draw(_ page: PDFPage, _ number: Int, of bytes: ByteRope, into buffer: inout PixelBuffer) throws(ImageError) {
            let size = buffer.size
            let across = (72 * Double(size.width) / page.width).decimal(places: 9)
            let down = (72 * Double(size.height) / page.height).decimal(places: 9)
            let arguments = [
                "-f", "\(number + 1)", "-l", "\(number + 1)", "-cropbox", "-scale-dimension-before-rotation", "-rx", across,
                "-ry",
                down, "-x", "0", "-y", "0", "-W", "\(size.width)", "-H", "\(size.height)", "-",
            ]
            var raster = PDFRaster(size)
            let end = try sandbox.run(
                ConfinedProgram("pdftoppm", of: Self.package, for: .pdf, arguments), on: bytes, within: limits
            ) { piece throws(ImageError) in
                try raster.take(piece, into: &buffer)
            }
            guard end.exitCode == 0, raster.isWhole else { throw Self.error(end, bytes) }
        }

        /// The error behind the programs' messages, by a few words that all versions use.
        private static func error(_ end: ConfinedProgram.End, _ bytes: ByteRope) -> ImageError {
            let words = end.messages
            if words.contains("Incorrect password") || words.contains("security handler") {
                return ImageError(
                    .unsupported, stage: .decode,
                    "The PDF is encrypted, and poppler cannot open it without a password. Save it without encryption.")
            }
            let tail = bytes.prefix(1024, from: max(0, bytes.count - 1024))
            if tail.firstRange(of: Array("%%EOF".utf8)) == nil {
                return ImageError(.truncated, stage: .decode, "The PDF ends before its last line does. Load it again.")
            }
            let reason = words.split(separator: "\n").last.map { " (\($0.prefix(200)))" } ?? ""
            return ImageError(
                .corrupt, stage: .decode,
                "The PDF is damaged, and poppler draws nothing of it\(reason). Fetch or export it again.")
        }
    }
#endif
