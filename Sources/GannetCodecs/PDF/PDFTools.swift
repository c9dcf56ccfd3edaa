#if PDF
    package import GannetCore

    /// The programs that read PDF on this system.
    package enum PDFTools {
        /// Their version, as they say it; nil if they are missing, or there is no sandbox. Blocking: it runs one.
        package static func version(in sandbox: any DecodeSandbox) -> String? {
            let program = ConfinedProgram("pdftoppm", of: PDFPrograms.package, for: .pdf, ["-v"])
            let end = try? sandbox.run(program, on: ByteRope([]), within: .standard) { _ throws(ImageError) in }
            let words = end?.messages.split(whereSeparator: \.isWhitespace).prefix(3) ?? []
            return words.count == 3 && words[1] == "version" ? String(words[2]) : nil
        }
    }
#endif
