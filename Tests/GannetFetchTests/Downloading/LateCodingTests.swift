#if HTTP
    import GannetCore
    import GannetTestSupport
    import GannetTesting
    import Testing

    @testable import GannetFetch

    /// Bodies in Brotli and zstd, whose libraries are looked for when the program runs.
    @Suite(.enabled(if: ContentCoding.hasBrotli && ContentCoding.hasZstandard, "libbrotlidec or libzstd is missing"))
    struct LateCodingTests {
        static let brotli: [UInt8] = [27, 127, 62, 248, 37, 64, 170, 144, 199, 202, 1, 70, 84, 198, 6, 0]
        static let zstandard: [UInt8] = [
            40, 181, 47, 253, 96, 128, 61, 125, 0, 0, 64, 112, 105, 99, 116, 117, 114, 101, 32, 1, 0, 117, 62, 127, 185,
        ]
        static let all = [("br", brotli), ("zstd", zstandard)]
        /// 32 MiB of zeros.
        static let bomb: [UInt8] = [
            203, 255, 255, 63, 248, 39, 0, 226, 177, 64, 32, 247, 254, 143, 255, 255, 127, 240, 79, 0, 196, 97, 17, 128,
            238, 253, 31, 255, 255, 255, 224, 159, 0, 136, 195, 2, 0, 221, 251, 191, 252, 255, 255, 195, 63, 1, 16, 135,
            5, 0, 186, 247, 127,
        ]

        private static func rig(_ encoding: String, _ chunks: [[UInt8]]) -> DownloadRig {
            ContentDecodingTests.rig(encoding, chunks)
        }

        private static func bytes(_ encoding: String, _ chunks: [[UInt8]]) async throws -> [UInt8]? {
            try await rig(encoding, chunks).fetch().get().encoded?.bytes.contiguous()
        }

        @Test(arguments: all) func `Every way of cutting gives the same bytes`(_ encoding: String, _ packed: [UInt8]) async throws
        {
            for size in [1, 7, packed.count] {
                let chunks = stride(from: 0, to: packed.count, by: size)
                    .map { Array(packed[$0..<min($0 + size, packed.count)]) }
                #expect(try await Self.bytes(encoding, chunks) == ContentDecodingTests.plain)
            }
            #expect(ContentCoding.acceptEncoding == "gzip, deflate, br, zstd")
        }

        /// What libcurl and browsers take for whole.
        @Test(arguments: all) func `A body that ends too early is an error`(_ encoding: String, _ packed: [UInt8]) async throws {
            for count in 1..<packed.count {
                #expect(await Self.rig(encoding, [Array(packed[..<count])]).fetch().failureCode == .network, "\(count)")
            }
        }

        @Test(arguments: ["br", "zstd"]) func `What is none is the server's fault`(_ encoding: String) async throws {
            let result = await Self.rig(encoding, [[0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10], ContentDecodingTests.plain]).fetch()
            #expect(result.failureCode == .protocolViolation)
        }

        // NW-09
        @Test func `Frames of zstd follow each other, and what follows Brotli is ignored`() async throws {
            let twice = ContentDecodingTests.plain + ContentDecodingTests.plain
            #expect(try await Self.bytes("zstd", [Self.zstandard, Self.zstandard]) == twice)
            #expect(try await Self.bytes("zstd", [Self.zstandard + Self.zstandard]) == twice)
            #expect(try await Self.bytes("br", [Self.brotli + [1, 2], [3]]) == ContentDecodingTests.plain)
            let both = Packed.deflated(Self.brotli)
            #expect(try await Self.bytes("br, gzip", [both]) == ContentDecodingTests.plain)
        }

        @Test func `A bomb, and a window of 128 MiB`() async throws {
            #expect(await Self.rig("br", [Self.bomb]).fetch().failureCode == .limitExceeded)
            let wide: [UInt8] = [40, 181, 47, 253, 4, 136, 100, 0, 0, 16, 0, 0, 2, 0, 233, 255, 55, 115, 224, 1]
            #expect(await Self.rig("zstd", [wide]).fetch().failureCode == .protocolViolation)
        }
    }
#endif
