#if HTTP
    import GannetCore
    import GannetTestSupport
    import GannetTesting
    import Testing

    /// Compressed bodies over real sockets: the delivered body is complete, and decompression bombs are refused. S3-05, DL-42
    @Suite struct HostileEncodingTests {
        typealias Case = HostileCase

        static let plain = Array(String(repeating: "picture ", count: 2000).utf8)
        static let packed = Packed.deflated(plain)

        static func head(_ encoding: String, _ count: Int) -> [UInt8] {
            Array((HostileCase.ok + "Content-Encoding: \(encoding)\r\nContent-Length: \(count)\r\n\r\n").utf8)
        }

        /// All of the body that is announced.
        static func send(_ encoding: String, _ body: [UInt8]) -> @Sendable (RawConnection) -> Void {
            { HostileCase.once($0, head(encoding, body.count) + body) }
        }

        static func changed(_ index: Int) -> [UInt8] {
            var bytes = packed
            bytes[bytes.count + index] ^= 0xFF
            return bytes
        }

        static let whole: [Case] = [
            Case(name: "gzip", outcome: .delivers(plain), serve: send("gzip", packed)),
            Case(name: "x-gzip in capitals", outcome: .delivers(plain), serve: send("X-GZIP", packed)),
            Case(
                name: "deflate with a zlib head", outcome: .delivers(plain),
                serve: send("deflate", Packed.deflated(plain, windowBits: 15))),
            Case(
                name: "deflate, raw", outcome: .delivers(plain), serve: send("deflate", Packed.deflated(plain, windowBits: -15))),
            Case(
                name: "two codings", outcome: .delivers(plain),
                serve: send("deflate, gzip", Packed.deflated(Packed.deflated(plain, windowBits: 15)))),
            Case(name: "two members", outcome: .delivers(plain + plain), serve: send("gzip", packed + packed)),
            Case(
                name: "garbage behind the end is nobody's", outcome: .delivers(plain),
                serve: send("gzip", packed + Array("garbage".utf8))),
            Case(
                name: "zeros behind the end", outcome: .delivers(plain),
                serve: send("gzip", packed + [UInt8](repeating: 0, count: 512))),
            Case(name: "gzip in chunks", outcome: .delivers(plain)) { connection in
                let pieces = packed.map { Array("1\r\n".utf8) + [$0] + Array("\r\n".utf8) }
                let head = HostileCase.ok + "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
                HostileCase.once(connection, Array(head.utf8) + pieces.joined() + Array("0\r\n\r\n".utf8))
            },
            Case(name: "identity", outcome: .delivers(plain), serve: send("identity", plain)),
            Case(name: "says it in two fields", outcome: .delivers(plain)) {
                let fields = "Content-Encoding: identity\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n"
                HostileCase.once($0, Array((HostileCase.ok + fields).utf8) + packed)
            },
        ]

        static let cut: [Case] = [
            Case(
                name: "gzip that ends in the middle, as long as announced", outcome: .fails([.network]),
                serve: send("gzip", Array(packed.prefix(packed.count / 2)))),
            Case(name: "gzip without its last byte", outcome: .fails([.network]), serve: send("gzip", packed.dropLast())),
            Case(name: "gzip without its checksum", outcome: .fails([.network]), serve: send("gzip", packed.dropLast(8))),
            Case(name: "only the head of gzip", outcome: .fails([.network]), serve: send("gzip", Array(packed.prefix(10)))),
            Case(name: "one byte of gzip", outcome: .fails([.network]), serve: send("gzip", [0x1F])),
            Case(
                name: "deflate without its end", outcome: .fails([.network]),
                serve: send("deflate", Packed.deflated(plain, windowBits: -15).dropLast())),
            Case(
                name: "zlib without its checksum", outcome: .fails([.network]),
                serve: send("deflate", Packed.deflated(plain, windowBits: 15).dropLast(4))),
            Case(
                name: "the second member ends in the middle", outcome: .fails([.network]),
                serve: send("gzip", packed + packed.prefix(packed.count / 2))),
            Case(
                name: "the inner coding ends in the middle", outcome: .fails([.network]),
                serve: send("gzip, gzip", Packed.deflated(packed.dropLast(9)))),
            Case(name: "gzip without length, and the connection ends in the middle", outcome: .fails([.network])) { connection in
                let head = HostileCase.ok + "Content-Encoding: gzip\r\nConnection: close\r\n\r\n"
                HostileCase.once(connection, Array(head.utf8) + packed.prefix(packed.count / 2))
            },
            Case(name: "whole gzip in a body that is cut behind it", outcome: .fails([.network])) { connection in
                HostileCase.once(connection, head("gzip", packed.count + 5) + packed)
            },
            Case(name: "whole gzip in chunks without their end", outcome: .fails([.network])) { connection in
                let head =
                    HostileCase.ok
                    + "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n\(String(packed.count, radix: 16))\r\n"
                HostileCase.once(connection, Array(head.utf8) + packed + [13, 10])
            },
        ]

        static let wrong: [Case] = [
            Case(name: "another checksum", outcome: .fails([.protocolViolation]), serve: send("gzip", changed(-8))),
            Case(name: "another length", outcome: .fails([.protocolViolation]), serve: send("gzip", changed(-1))),
            Case(
                name: "says gzip, is a picture", outcome: .fails([.protocolViolation]),
                serve: send("gzip", [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10] + plain)),
            Case(
                name: "says gzip, is zlib", outcome: .fails([.protocolViolation]),
                serve: send("gzip", Packed.deflated(plain, windowBits: 15))),
            Case(name: "says deflate, is gzip", outcome: .fails([.protocolViolation]), serve: send("deflate", packed)),
            Case(name: "says two codings, has one", outcome: .fails([.protocolViolation]), serve: send("gzip, gzip", packed)),
            Case(
                name: "a coding that nobody asked for", outcome: .fails([.unsupported]),
                serve: send("compress", [0x1F, 0x9D, 0x90, 0x61, 0])),
            Case(
                name: "says zstd above gzip, is gzip", outcome: .fails([.protocolViolation, .unsupported]),
                serve: send("gzip, zstd", packed)),
            Case(name: "three codings", outcome: .fails([.limitExceeded]), serve: send("gzip, deflate, gzip", packed)),
            Case(name: "compressed nothing", outcome: .fails([.empty]), serve: send("gzip", Packed.deflated([]))),
            Case(name: "nothing, said to be compressed", outcome: .fails([.empty]), serve: send("gzip", [])),
        ]

        /// 32 MiB of zeros are 32 KiB.
        static let zeros = [UInt8](repeating: 0, count: 32 << 20)
        static let bomb = Packed.deflated(zeros)

        static let bombs: [Case] = [
            Case(name: "gzip bomb", outcome: .fails([.limitExceeded]), maximumBytes: 1 << 30, serve: send("gzip", bomb)),
            Case(name: "gzip bomb above the limit of bytes", outcome: .fails([.limitExceeded]), serve: send("gzip", bomb)),
            Case(
                name: "deflate bomb", outcome: .fails([.limitExceeded]), maximumBytes: 1 << 30,
                serve: send("deflate", Packed.deflated(zeros, windowBits: -15))),
            Case(
                name: "bomb in a bomb", outcome: .fails([.limitExceeded]), maximumBytes: 1 << 30,
                serve: send("gzip, gzip", Packed.deflated(bomb))),
            Case(
                name: "bomb in the second member", outcome: .fails([.limitExceeded]), maximumBytes: 1 << 30,
                serve: send("gzip", packed + bomb)),
            Case(name: "bombs without end", outcome: .fails([.limitExceeded]), maximumBytes: 1 << 30) { connection in
                HostileCase.once(connection, HostileCase.ok + "Content-Encoding: gzip\r\n\r\n")
                while connection.write(bomb) {}
            },
            Case(name: "blocks of nothing without end", outcome: .fails([.limitExceeded])) { connection in
                HostileCase.once(connection, Array((HostileCase.ok + "Content-Encoding: gzip\r\n\r\n").utf8) + Packed.endlessHead)
                let blocks = Array(repeatElement(Packed.emptyBlock, count: 10_000).joined())
                while connection.write(blocks) {}
            },
            Case(name: "garbage without end behind the end", outcome: .fails([.limitExceeded])) { connection in
                HostileCase.once(connection, Array((HostileCase.ok + "Content-Encoding: gzip\r\n\r\n").utf8) + packed)
                let garbage = [UInt8](repeating: 7, count: 65_536)
                while connection.write(garbage) {}
            },
            Case(name: "empty members without end", outcome: .fails([.limitExceeded])) { connection in
                HostileCase.once(connection, HostileCase.ok + "Content-Encoding: gzip\r\n\r\n")
                let members = Array(repeatElement(Packed.deflated([]), count: 4000).joined())
                while connection.write(members) {}
            },
            Case(name: "hangs inside gzip", outcome: .fails([.timedOut]), isHasty: true) { connection in
                HostileCase.once(connection, head("gzip", packed.count) + packed.prefix(packed.count / 2))
                connection.waitForClose()
            },
        ]

        @Test(arguments: whole + cut + wrong + bombs)
        func `A server packs the body badly`(_ example: HostileCase) async throws { try await example.check() }
    }
#endif
