#if HTTP
    import GannetCache
    import GannetPlatform
    import GannetCore
    import GannetFetch
    import GannetTestSupport
    import GannetTesting
    import Synchronization
    import Testing

    /// Bodies with a `Content-Encoding`: all of the body is delivered, and decompression bombs are refused. S3-05, DL-42
    @Suite struct ContentDecodingTests {
        static let plain = Array(String(repeating: "picture ", count: 2000).utf8)

        static func rig(
            _ encoding: String, _ chunks: [[UInt8]], change: (inout DownloaderConfiguration) -> Void = { _ in }
        ) -> DownloadRig {
            DownloadRig(change: change) { request, _ in
                HTTPResponse(
                    head: HTTPResponseHead(
                        status: 200,
                        headers: HTTPHeaders([
                            ("Content-Encoding", encoding), ("Content-Length", "\(chunks.reduce(0) { $0 + $1.count })"),
                        ]),
                        url: request.url), body: .chunks(chunks))
            }
        }

        @Test(arguments: [("gzip", Int32(31)), ("x-gzip", 31), ("deflate", 15), ("deflate", -15), ("GZIP", 31)])
        func `Every way of cutting gives the same bytes`(_ encoding: String, _ bits: Int32) async throws {
            let packed = Packed.deflated(Self.plain, windowBits: bits)
            for size in [1, 7, packed.count] {
                let chunks = stride(from: 0, to: packed.count, by: size)
                    .map { Array(packed[$0..<min($0 + size, packed.count)]) }
                let fetched = try await Self.rig(encoding, chunks).fetch().get()
                #expect(fetched.encoded?.bytes.contiguous() == Self.plain)
            }
        }

        @Test func `Two codings on top of each other, and one that means nothing`() async throws {
            let twice = Packed.deflated(Packed.deflated(Self.plain, windowBits: 15))
            #expect(try await Self.rig("deflate, gzip", [twice]).fetch().get().encoded?.bytes.contiguous() == Self.plain)
            let once = Packed.deflated(Self.plain)
            #expect(try await Self.rig("identity, gzip", [once]).fetch().get().encoded?.bytes.contiguous() == Self.plain)
        }

        @Test func `Members of one gzip file follow each other`() async throws {
            let halves = [Array(Self.plain[..<9000]), Array(Self.plain[9000...])].map { Packed.deflated($0) }
            let all = halves[0] + halves[1]
            // In every way that the two first bytes of a member can come.
            let cuts = [0, 1, 2].map { halves[0].count + $0 }
            for chunks in [halves, [all]] + cuts.map({ [Array(all[..<$0]), Array(all[$0...])] }) + [all.map { [$0] }] {
                #expect(try await Self.rig("gzip", chunks).fetch().get().encoded?.bytes.contiguous() == Self.plain)
            }
        }

        @Test func `What follows the last member is ignored, wherever its chunks end`() async throws {
            let packed = Packed.deflated(Self.plain)
            let tails: [[[UInt8]]] = [
                [[0x1F]], [[0x1F], [0]], [[0, 0x1F], [0x8B, 8]], [[7], packed], [[0x1F, 0x20]], [[0], [0x1F], [0x8B]],
            ]
            for tail in tails {
                for chunks in [[packed] + tail, [packed + tail[0]] + tail.dropFirst(), [packed + tail.flatMap { $0 }]] {
                    #expect(try await Self.rig("gzip", chunks).fetch().get().encoded?.bytes.contiguous() == Self.plain)
                }
            }
        }

        // DL-42, S3-05
        @Test func `A bomb ends at the ratio, and at the limit of bytes`() async {
            let bomb = Packed.deflated([UInt8](repeating: 0, count: 8 << 20))
            #expect(await Self.rig("gzip", [bomb]).fetch().failureCode == .limitExceeded)
            let nested = Packed.deflated(Packed.deflated([UInt8](repeating: 0, count: 16 << 20)))
            #expect(await Self.rig("gzip, gzip", [nested]).fetch().failureCode == .limitExceeded)
            let generous = Self.rig("gzip", [bomb]) { $0.contentDecoding.maximumRatio = .max }
            #expect(
                await generous.fetch {
                    var limits = DecodeLimits()
                    limits.maximumEncodedBytes = 1 << 20
                    $0.decode.limits = limits
                }.failureCode == .limitExceeded)
        }

        /// Neither the ratio nor the limit of bytes sees what gives no bytes.
        @Test func `What is compressed ends at the limit too, also if nothing comes of it`() async {
            let zeros = [UInt8](repeating: 0, count: 1 << 16)
            // A head of gzip, and then stored blocks of no bytes.
            let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
            let blocks = [UInt8]((0..<13_000).flatMap { _ in [0, 0, 0, 0xFF, 0xFF] as [UInt8] })
            for (first, rest) in [(Packed.deflated(Self.plain), zeros), (head, blocks)] {
                let count = Mutex(0)
                let rig = DownloadRig { request, _ in
                    HTTPResponse(
                        head: HTTPResponseHead(
                            status: 200, headers: HTTPHeaders([("Content-Encoding", "gzip")]), url: request.url),
                        body: ByteStream { () async throws(ImageError) in
                            let number = count.withLock { count in
                                count += 1
                                return count
                            }
                            return number == 1 ? first : number < 200 ? rest : nil
                        })
                }
                let result = await rig.fetch {
                    var limits = DecodeLimits()
                    limits.maximumEncodedBytes = 1 << 20
                    $0.decode.limits = limits
                }
                #expect(result.failureCode == .limitExceeded)
                #expect(count.withLock { $0 } < 40)
            }
        }

        @Test func `A body that ends inside the compression is cut short`() async {
            let packed = Packed.deflated(Self.plain)
            for count in [1, 10, packed.count / 2, packed.count - 1] {
                #expect(await Self.rig("gzip", [Array(packed[..<count])]).fetch().failureCode == .network, "\(count)")
            }
        }

        @Test func `Damage is a violation`() async {
            var packed = Packed.deflated(Self.plain)
            packed[packed.count - 5] ^= 0xFF
            #expect(await Self.rig("gzip", [packed]).fetch().failureCode == .protocolViolation)
        }

        @Test(arguments: ["dcb", "gzip, COMPRESS", "compress", "rot13", "identity, x-mine"])
        func `What cannot be undone is an error, unless the request asked for it`(_ encoding: String) async throws {
            let rig = Self.rig(encoding, [Self.plain])
            #expect(await rig.fetch().failureCode == .unsupported)
            #expect(rig.cache.keys.isEmpty)
            let own = try await rig.fetch {
                $0.download.headers = HTTPHeaders([("Accept-Encoding", "dcb, compress, rot13, x-mine")])
            }.get()
            #expect(own.encoded?.bytes.contiguous() == Self.plain)
            let raw = Self.rig(encoding, [Self.plain]) { $0.contentDecoding.isEnabled = false }
            #expect(try await raw.fetch().get().encoded?.bytes.contiguous() == Self.plain)
        }

        @Test func `Switched off, bodies come as they are`() async throws {
            let packed = Packed.deflated(Self.plain)
            let rig = Self.rig("gzip", [packed]) { $0.contentDecoding.isEnabled = false }
            #expect(try await rig.fetch().get().encoded?.bytes.contiguous() == packed)
            #expect(!rig.sent().headers.contains("Accept-Encoding"))
        }

        @Test func `Progress counts what is delivered, without a whole`() async throws {
            let rig = Self.rig("gzip", [Packed.deflated(Self.plain)])
            let fetched = try await rig.fetch().get()
            #expect(fetched.metrics?.bytes == Self.plain.count)
            #expect(rig.sent().headers["Accept-Encoding"]?.hasPrefix("gzip, deflate") == true)
        }
    }
#endif
