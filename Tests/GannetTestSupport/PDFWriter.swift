/// A PDF document that a test writes, as text.
package struct PDFWriter {
    package struct Page {
        package var width: String
        package var height: String
        /// Operators that draw.
        package var drawing: String
        /// Further entries of the page, such as `/Rotate 90`.
        package var more: String

        package init(_ width: String = "100", _ height: String = "60", _ drawing: String = PDFWriter.square, more: String = "") {
            self.width = width
            self.height = height
            self.drawing = drawing
            self.more = more
        }
    }

    /// Red, from 10 to 50 points of both sides.
    package static let square = "1 0 0 rg 10 10 40 40 re f"

    package var pages: [Page]
    /// Further entries of the catalog, such as `/OpenAction`.
    package var catalog = ""
    /// Further entries of the trailer, such as `/Encrypt`.
    package var trailer = ""
    /// Before the mark.
    package var lead = ""

    package init(_ pages: [Page] = [Page()]) { self.pages = pages }

    package var file: [UInt8] {
        let kids = pages.indices.map { "\(3 + 2 * $0) 0 R" }.joined(separator: " ")
        var objects = [
            "<</Type/Catalog/Pages 2 0 R\(catalog)>>", "<</Type/Pages/Kids[\(kids)]/Count \(pages.count)>>",
        ]
        let fonts = "<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"
        for (index, page) in pages.enumerated() {
            objects.append(
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 \(page.width) \(page.height)]/Contents \(4 + 2 * index) 0 R"
                    + "/Resources\(fonts)\(page.more)>>")
            objects.append("<</Length \(page.drawing.utf8.count)>>stream\n\(page.drawing)\nendstream")
        }
        var bytes = Array("\(lead)%PDF-1.4\n".utf8)
        var table = "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for (index, object) in objects.enumerated() {
            let place = String(bytes.count - lead.utf8.count)
            table += String(repeating: "0", count: 10 - place.count) + place + " 00000 n \n"
            bytes += Array("\(index + 1) 0 obj\n\(object)\nendobj\n".utf8)
        }
        let place = bytes.count - lead.utf8.count
        let end = "trailer<</Size \(objects.count + 1)/Root 1 0 R\(trailer)>>\nstartxref\n\(place)\n%%EOF\n"
        bytes += Array("\(table)\(end)".utf8)
        return bytes
    }
}
