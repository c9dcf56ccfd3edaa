#if CommandLine && HTTP && Server && PNG && JPEG && WebP
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// `preserve_hdr` of addresses. CX-15
    struct ServeHighRangeTests {
        private func cicp(_ options: String, _ service: DrawnService) async throws -> CICP? {
            let answer = await service.answer(options)
            #expect(answer.status == 200, "\(options): \(answer.failure ?? "")")
            let decoding = ImageDecoding(coders: service.service.manager.configuration.coders)
            return try decoding.header(of: ByteRope(answer.body)).colorSpace.cicp
        }

        @Test func lightStaysWhereTheAddressSaysSo() async throws {
            let image = TestImages.still(try TestImages.highRange(width: 60, height: 40))
            let service = try DrawnService(image.blockingEncoded(EncodeOptions(format: .png)).bytes.contiguous())
            let pq = CICP(primaries: 9, transfer: 16, matrix: 0, isFullRange: true)
            #expect(try await cicp("rs:fit:30:30/ph:1/f:png", service) == pq)
            #expect(try await cicp("rs:fit:30:30/f:png", service) == nil)
            #expect(try await cicp("rs:fit:30:30/ph:1/f:webp", service) == nil)
            // Painting has 8 bits.
            #expect(try await cicp("rs:fit:30:30/bl:2/ph:1/f:png", service) == nil)
            #if AVIF
                #expect(try await cicp("rs:fit:30:30/ph:1/f:avif", service)?.transfer == 16)
            #endif
        }

        /// The operator's choice for all addresses, and part of every key.
        @Test func theCurveIsTheOperators() async throws {
            let image = TestImages.still(try TestImages.highRange(width: 60, height: 40))
            let service = try DrawnService(image.blockingEncoded(EncodeOptions(format: .png)).bytes.contiguous()) {
                $0.iiifBaseURL = "https://images.example.org/iiif"
            }
            let identifier = service.server.url("/a.png").replacing(":", with: "%3A").replacing("/", with: "%2F")
            func bodies() async -> [[UInt8]] {
                let viewer = await service.service.respond(to: .init(target: "/iiif/\(identifier)/full/30,20/0/default.png"))
                #expect(viewer.status == 200)
                return [await service.answer("rs:fit:30:30/f:png").body, viewer.body]
            }
            let usual = await bodies()
            service.service.configuration.toneMapping = .bt2446a
            let other = await bodies()
            service.service.configuration.toneMapping = .bt2390
            let again = await bodies()
            #expect(usual == again && zip(usual, other).allSatisfy { $0 != $1 && !$0.isEmpty })
        }

        @Test func gainMapsAreAppliedForIt() async throws {
            let service = try DrawnService(try Samples.ultraHDR(), name: "a.jpg")
            #expect(try await cicp("rs:fit:120:80/ph:1/f:png", service)?.transfer == 16)
            #expect(try await cicp("rs:fit:120:80/f:png", service) == nil)
        }
    }
#endif
