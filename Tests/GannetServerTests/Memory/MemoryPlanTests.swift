#if CommandLine && Server
    import GannetCore
    import Testing

    @testable import GannetServer

    /// One limit of memory, divided.
    struct MemoryPlanTests {
        private static let mebibyte = 1 << 20

        private func plan(
            _ mebibytes: Int, processors: Int = 2, _ change: (inout MemoryPlan.Wishes) -> Void = { _ in }
        ) throws(ImageError) -> MemoryPlan {
            var wishes = MemoryPlan.Wishes(limit: mebibytes * Self.mebibyte, processors: processors)
            change(&wishes)
            return try MemoryPlan(wishes)
        }

        // NW-16
        @Test(arguments: [96, 128, 200, 256, 480, 512, 1000, 2048, 8192, 65_536], [1, 2, 8, 64])
        func `The parts are never more than the limit, and decodes have the largest`(mebibytes: Int, processors: Int) throws {
            let plan = try plan(mebibytes, processors: processors)
            #expect(plan.parts.reduce(0) { $0 + $1.bytes } <= plan.limit)
            #expect(plan.parts.allSatisfy { $0.bytes > 0 })
            for part in plan.parts where part.name != "processes" && part.name != "downloads" && mebibytes < 8192 {
                #expect(part.bytes <= plan.decodes, "\(part.name)")
            }
            #expect((1...processors).contains(plan.decodesAtOnce) && plan.downloadsAtOnce >= 4 && plan.maximumConnections >= 1)
            // The file that may come in addition is in the same part.
            #expect(plan.parts.first { $0.name == "downloads" }?.bytes == plan.downloads + plan.file)
        }

        @Test func `More memory gives no part less`() throws {
            var last = try plan(96)
            for mebibytes in stride(from: 112, through: 4096, by: 16) {
                let next = try plan(mebibytes)
                for (before, after) in zip(last.parts, next.parts) {
                    // A further decode at once takes its processes from the others.
                    if next.decodesAtOnce == last.decodesAtOnce {
                        #expect(before.bytes <= after.bytes, "\(mebibytes) \(before.name)")
                    }
                }
                last = next
            }
        }

        @Test func `With much memory all parts are what they were without a limit`() throws {
            let plan = try plan(64 << 10)
            #expect(plan.decodes == 1 << 30 && plan.responses == 64 << 20 && plan.images == 32 << 20)
            #expect(plan.unread == 128 << 20 && plan.downloadsAtOnce == 64 && plan.maximumConnections == 4096)
            #expect(plan.file == DecodeLimits.standard.maximumEncodedBytes && plan.keptPixels == 64 << 20)
        }

        @Test func `50 megapixels fit into a container of 512 MiB`() throws {
            let plan = try plan(480)
            #expect(plan.decodes >= 50_000_000 * 4 && plan.decodesAtOnce == 2)
        }

        @Test func `What the operator fixes is taken from decodes`() throws {
            let plain = try plan(480)
            let fixed = try plan(480) { $0.responses = 64 << 20 }
            #expect(fixed.responses == 64 << 20)
            #expect(fixed.decodes == plain.decodes - (fixed.responses - plain.responses))
            #expect(fixed.unread == plain.unread && fixed.images == plain.images)
        }

        @Test func `What cannot be is refused, with what to change`() {
            func failure(_ mebibytes: Int, responses: Int?) -> ImageError? {
                do throws(ImageError) { _ = try plan(mebibytes) { $0.responses = responses } } catch { return error }
                return nil
            }
            let small = failure(95, responses: nil)
            #expect(small?.code == .misuse && small?.message.contains("--memory-limit") == true)
            let greedy = failure(480, responses: 400 << 20)
            #expect(greedy?.code == .misuse && greedy?.message.contains("--answer-memory") == true)
        }
    }
#endif
