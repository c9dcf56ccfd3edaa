#if CommandLine && Server
    import GannetCore
    import GannetImages
    import Testing

    @testable import GannetServer

    struct MemoryResponseStoreTests {
        private func key(_ index: Int) throws -> ResponseKey {
            let address = try ThumbnailAddress("/\(index + 1)x1/fit?url=http://a.org/")
            return ResponseKey(
                address, FormatChoice(address.options, accept: "", preferred: [], coders: CodersManager([])), of: .plain)
        }

        /// A response takes as many bytes as are counted for it: encoders leave arrays with as much room again.
        @Test func responsesHaveNoRoomForMore() {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(1 << 20)
            bytes += [UInt8](repeating: 7, count: 600_000)
            let response = StoredResponse(mimeType: "image/png", bytes: bytes, freshness: .unknown)
            #expect(response.bytes == bytes)
            #expect(response.bytes.capacity < 610_000)
        }

        @Test func theLeastUsedAreRemovedFirst() throws {
            let cost = 100 + MemoryResponseStore.overhead
            let memory = MemoryResponseStore(maximumBytes: 8 * cost)
            let answer = StoredResponse(mimeType: "image/png", bytes: [UInt8](repeating: 1, count: 100), freshness: .unknown)
            func isKept(_ index: Int) throws -> Bool { memory.response(for: try key(index)) != nil }
            for index in 0..<8 { memory.store(answer, for: try key(index)) }
            #expect(memory.kept == (8, 8 * cost))
            #expect(try isKept(0))
            // One makes room for one: not the first, which was used.
            memory.store(answer, for: try key(8))
            #expect(memory.kept == (8, 8 * cost))
            for index in [0, 2, 3, 7, 8] { #expect(try isKept(index)) }
            #expect(try !isKept(1))
            // Replacing counts once, and what is too large is not kept.
            memory.store(answer, for: try key(8))
            #expect(memory.kept == (8, 8 * cost))
            let large = StoredResponse(mimeType: "", bytes: [UInt8](repeating: 1, count: 8 * cost), freshness: .unknown)
            memory.store(large, for: try key(8))
            #expect(memory.kept == (7, 7 * cost))
            #expect(try !isKept(8))
            // A response as large as all of them takes their place.
            let whole = StoredResponse(mimeType: "", bytes: [UInt8](repeating: 1, count: 7 * cost), freshness: .unknown)
            memory.store(whole, for: try key(9))
            #expect(try memory.kept.count == 1 && isKept(9))
        }
    }
#endif
