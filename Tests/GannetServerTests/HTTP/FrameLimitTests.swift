#if CommandLine && Server
    import NIOCore
    import NIOEmbedded
    import Testing

    @testable import GannetServer

    /// Frames of HTTP/2 that bring no request forward; RFC 9113 §10.5.
    struct FrameLimitTests {
        private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

        private static func frame(_ kind: UInt8, flags: UInt8 = 0, stream: UInt8 = 0, _ content: [UInt8] = []) -> [UInt8] {
            [0, 0, UInt8(content.count), kind, flags, 0, 0, 0, stream] + content
        }

        private func goAways(_ channel: EmbeddedChannel) throws -> [ByteBuffer] {
            var all: [ByteBuffer] = []
            while let data = try channel.readOutbound(as: IOData.self) {
                if case .byteBuffer(let buffer) = data { all.append(buffer) }
            }
            return all
        }

        @Test(arguments: [
            frame(8, [0, 0, 0, 1]), frame(8, stream: 1, [0, 0, 0, 1]), frame(2, stream: 1, [0, 0, 0, 0, 1]),
            frame(0xAA, [1, 2, 3]),
            frame(4), frame(6, [1, 2, 3, 4, 5, 6, 7, 8]), frame(0, stream: 1), frame(0, stream: 1, [1]),
            frame(3, stream: 1, [0, 0, 0, 8]),
        ])
        func aFloodEndsTheConnection(frame: [UInt8]) throws {
            let channel = EmbeddedChannel(handler: FrameLimit())
            channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
            try channel.writeInbound(ByteBuffer(bytes: Self.preface + Self.frame(1, flags: 5, stream: 9)))
            let hundred = ByteBuffer(bytes: Array(repeating: frame, count: 100).flatMap { $0 })
            var sent = 0
            while channel.isActive, sent < 50 {
                try channel.writeInbound(hundred)
                sent += 1
            }
            #expect(!channel.isActive && sent <= 11)
            // Stream 9 was the last one, and 11 is ENHANCE_YOUR_CALM.
            let expected = ByteBuffer(bytes: [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 11])
            #expect(try goAways(channel) == [expected])
            var passed = 0
            while let buffer = try channel.readInbound(as: ByteBuffer.self) { passed += buffer.readableBytes }
            #expect(passed < 1200 * frame.count)
        }

        /// Takes what the limit passes on: each write to such a channel copies all that nobody has taken yet.
        private func receive(_ bytes: [UInt8], _ channel: EmbeddedChannel) throws {
            try channel.writeInbound(ByteBuffer(bytes: bytes))
            while try channel.readInbound(as: ByteBuffer.self) != nil {}
        }

        /// Requests, and bodies that are sent, bring credit; so does time. Bytes may be cut anywhere.
        @Test func whoAsksAndReadsMayGoOn() throws {
            let channel = EmbeddedChannel(handler: FrameLimit())
            channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
            for byte in Self.preface { try receive([byte], channel) }
            let update = Self.frame(8, [0, 0, 64, 0])
            let request = Self.frame(1, flags: 5, stream: 1, Array(repeating: 0x82, count: 20))
            for _ in 0..<2000 {
                for byte in request + update + update { try receive([byte], channel) }
                channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
            }
            #expect(channel.isActive)
            // A long body, each frame of which is confirmed twice.
            for _ in 0..<5000 {
                try channel.writeOutbound(IOData.byteBuffer(ByteBuffer(repeating: 0, count: 16_384)))
                _ = try channel.readOutbound(as: IOData.self)
                try receive(update + update, channel)
            }
            #expect(channel.isActive)
            for _ in 0..<100 {
                channel.embeddedEventLoop.advanceTime(by: .seconds(1))
                for _ in 0..<40 { try receive(update, channel) }
            }
            #expect(channel.isActive)
            _ = try channel.finish()
        }
    }
#endif
