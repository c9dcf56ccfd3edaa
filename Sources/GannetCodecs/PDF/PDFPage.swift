#if PDF
    import GannetCore

    /// What `pdfinfo` says of a document and one of its pages.
    struct PDFPage {
        /// Pages of the document.
        private(set) var count = 0
        /// In points, upright. Zero: not said.
        private(set) var width = 0.0
        private(set) var height = 0.0

        /// Lines with a name, a colon and a value. Titles and other texts of the document come before those that count.
        init?(_ text: [UInt8]) {
            var turn = 0
            for line in text.split(separator: UInt8(ascii: "\n")) {
                let words = String(decoding: line, as: UTF8.self).split(separator: " ")
                guard let name = words.first else { continue }
                if name == "Pages:", words.count == 2 { count = Int(words[1]) ?? 0 }
                guard name == "Page", let place = words.firstIndex(where: { $0 == "size:" || $0 == "rot:" }) else { continue }
                let values = words[(place + 1)...].map { Double($0) }
                if words[place] == "rot:" {
                    turn = values.first.flatMap { $0 }.flatMap { Int(exactly: $0) } ?? 0
                } else if values.count >= 3, let width = values[0], let height = values[2] {
                    (self.width, self.height) = (width, height)
                }
            }
            guard count > 0, width > 0, height > 0, width.isFinite, height.isFinite else { return nil }
            if turn % 180 != 0 { (width, height) = (height, width) }
        }

        /// One pixel a point. Fractions are rounded up, so that nothing is cut off.
        var size: PixelSize {
            get throws(ImageError) {
                guard max(width, height) <= Double(PixelSize.maximumSide) else {
                    throw ImageError(
                        .limitExceeded, stage: .decode,
                        "The page of the PDF is \(width)×\(height) points large; the limit is \(PixelSize.maximumSide).")
                }
                return PixelSize(clamping: Int(width.rounded(.up)), Int(height.rounded(.up)))
            }
        }
    }
#endif
