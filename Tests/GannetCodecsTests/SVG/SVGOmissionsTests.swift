#if SVG
    import GannetCodecs
    import GannetCore
    import Testing

    /// Elements that librsvg leaves out.
    struct SVGOmissionsTests {
        private func found(_ inside: String) -> [String] {
            SVGOmissions.elements(in: ByteRope(Array("<svg width='4' height='4'>\(inside)</svg>".utf8)))
        }

        @Test(
            arguments: [
                ("<text><textPath href='#a'>b</textPath></text>", ["textPath"]),
                ("<svg:foreignObject\n width='1'/><textPath>a</textPath><textPath/>", ["foreignObject", "textPath"]),
                ("<foreignObject>", ["foreignObject"]),
                // Case matters, and the whole name.
                ("<textpath/><textPaths/><text/>", []), ("<text>textPath &lt;textPath></text>", []),
                ("<!-- <textPath/> --><![CDATA[<foreignObject/>]]>", []),
                ("<!-- <textPath/> --><textPath/>", ["textPath"]), ("<!-- <textPath/>", []), ("<<<", []),
            ] as [(String, [String])])
        func names(inside: String, expected: [String]) { #expect(found(inside) == expected, "\(inside)") }

        @Test func otherForms() {
            let text = "<svg><textPath/></svg>"
            let wide: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
            for bytes in [Gzip.stored(Array(text.utf8)), wide] {
                #expect(SVGOmissions.elements(in: ByteRope(bytes)) == ["textPath"])
            }
            #expect(SVGOmissions.elements(in: ByteRope()) == [])
        }
    }
#endif
