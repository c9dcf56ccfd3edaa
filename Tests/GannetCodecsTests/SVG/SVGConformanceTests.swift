#if SVG
    import GannetCodecs
    import GannetCore
    import GannetTesting
    import Testing

    @Suite struct SVGConformanceTests {
        static let document =
            #"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" viewBox="0 0 40 20">"#
            + ##"<rect width="20" height="20" fill="#ff0000"/><circle cx="30" cy="10" r="8" fill="blue" opacity="0.5"/></svg>"##

        @Test func documentKeepsEveryPromise() async throws {  // FM-12
            let check = CoderConformance(SVGCoder(), format: .svg, sample: Array(Self.document.utf8), name: "document")
            #expect(check.failures() == [])
            #expect(await check.cancellation() == [])
        }

        private func recognition(_ text: String) -> Recognition { SVGCoder().recognizes(Array(text.utf8).span) }

        @Test("The first element decides, whatever stands before it") func sniffing() {
            let yes = [
                "<svg xmlns='x'/>", "\u{FEFF}<svg>", "  \n<svg\n", "<?xml version='1.0'?><!-- <html> --><svg >",
                "<!DOCTYPE svg PUBLIC 'x' [<!ENTITY a 'b'>]><svg>", "<s:svg xmlns:s='http://www.w3.org/2000/svg'/>", "<svg/>",
            ]
            for text in yes { #expect(recognition(text) == .yes(.svg), "\(text)") }
            let no = [
                "<html><svg/></html>", "<!DOCTYPE html><svg>", "svg", "{}", "<svgx >", "<!-- x --><p><svg></p>",
                String(repeating: " ", count: 5000) + "<svg>",
            ]
            for text in no { #expect(recognition(text) == .no, "\(text)") }
            for text in ["", "<", "<sv", "<!--", "<?xml version", "<svg"] {
                guard case .needsMoreBytes(let count) = recognition(text) else {
                    Issue.record("\(text) is answered with \(recognition(text))")
                    continue
                }
                #expect(count > text.utf8.count)
            }
        }
    }
#endif
