#if CommandLine && PNG && JPEG
    import Foundation
    import GannetCodecs
    import GannetCommandTestSupport
    import GannetCore
    import GannetSupport
    import Testing

    @testable import gannet

    /// What `info` tells of photographs.
    struct PhotoTests {
        private static let block = EXIFBlock(
            image: [
                (0x010F, .text("Canon")), (0x0110, .text("Canon EOS 5D")), (0x0131, .text("Darkroom 1\u{1B}[31m")),
                (0x013B, .text("Me ")), (0x0112, .short(1)),
            ],
            photo: [
                (0x829A, .fraction(1, 250)), (0x829D, .fraction(28, 10)), (0x8827, .short(100)),
                (0x9003, .text("2026:05:01 10:20:30")), (0x9011, .text("+02:00")), (0x9204, .signedFraction(-1, 3)),
                (0x9209, .short(0)), (0x920A, .fraction(50, 1)), (0xA405, .short(80)), (0xA434, .text("EF50mm f/1.8")),
            ], place: [(0x0001, .text("N")), (0x0002, .fraction(52, 1)), (0x0003, .text("E")), (0x0004, .fraction(13, 1))]
        ).bytes

        private static let line =
            "Canon EOS 5D, EF50mm f/1.8, 1/250 s, f/2.8, ISO 100, -0.33 EV, 50 mm, as 80 mm on 35 mm film, "
            + "2026-05-01 10:20:30 +02:00, by Me, Darkroom 1[31m, with its place (GPS)"

        private func photo() throws -> [UInt8] {
            let whole = try EmbeddedMetadata(of: [], exif: Self.block).added(to: Samples.photo())
            return whole
        }

        @Test func cameraExposureDateAndPlace() async throws {
            let tool = try Tool()
            let path = try tool.write(try photo(), "a.jpg")
            let object = try #require(try await tool.run("info", "--json", path).objects.first)
            let told = try #require(object["exif"] as? [String: Any])
            #expect(told["camera"] as? String == "Canon EOS 5D" && told["lens"] as? String == "EF50mm f/1.8")
            #expect(told["taken"] as? String == "2026-05-01 10:20:30" && told["timeZone"] as? String == "+02:00")
            #expect(told["exposureSeconds"] as? Double == 0.004 && told["fNumber"] as? Double == 2.8)
            #expect(told["iso"] as? Int == 100 && told["focalLengthMm"] as? Int == 50 && told["focalLength35Mm"] as? Int == 80)
            #expect(told["flash"] as? Bool == false && told["gps"] as? Bool == true && told["copyright"] is NSNull)
            let text = try await tool.run("info", path)
            #expect(text.text.hasSuffix("\n\(path): \(Self.line)\n"), "\(text.text)")
        }

        /// In PNG it may stand behind the pixels, and so behind the first bytes, which are enough for a header.
        @Test func exifAtTheEndOfALargeFileIsFound() async throws {
            let tool = try Tool()
            let png = try Samples.png()
            let end = png.count - 12
            func word(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
            func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
                let content: [UInt8] = Array(name.utf8) + body
                var sum = ~UInt32(0)
                for byte in content {
                    sum ^= UInt32(byte)
                    for _ in 0..<8 { sum = (sum >> 1) ^ (sum & 1 == 1 ? UInt32(0xEDB8_8320) : 0) }
                }
                var result = word(UInt32(body.count))
                result += content
                result += word(~sum)
                return result
            }
            var file = Array(png[..<end])
            file += chunk("fiLl", [UInt8](repeating: 7, count: 300 << 10))
            file += chunk("eXIf", Self.block)
            file += png[end...]
            let path = try tool.write(file, "a.png")
            let object = try #require(try await tool.run("info", "--json", path).objects.first)
            #expect((object["exif"] as? [String: Any])?["camera"] as? String == "Canon EOS 5D")
            // A file over the limit still has a header.
            let small = try await tool.run("info", "--json", "--max-bytes", "200k", path)
            #expect(small.status == 0 && small.objects.first?["width"] as? Int == 24, "\(small.errors)")
        }

        @Test func imagesWithoutEXIFSayNothing() async throws {
            let tool = try Tool()
            let path = try tool.write(try Samples.png(), "a.png")
            #expect(try await tool.run("info", "--json", path).objects.first?["exif"] == nil)
            #expect(try await tool.run("info", path).text.split(separator: "\n").count == 2)
        }
    }
#endif
