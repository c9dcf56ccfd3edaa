#if PNG && JPEG
    import GannetCodecs
    import GannetCore
    import GannetKernels
    import GannetTesting
    import Testing

    @testable import GannetImages
    @testable import GannetSandbox

    /// Regions of one file, one after the other, in one worker.
    @Suite struct SandboxFileTests {
        private let pool = SandboxPool(kept: 0)
        private let budget = ResourceBudget(capacity: 256 << 20)
        private let memory: RegionMemory
        private static let image = try? TestImages.discs(width: 700, height: 640)

        init() { memory = RegionMemory(budget: budget) }

        private var decoding: ImageDecoding {
            var environment = DecodeEnvironment(budget: budget)
            environment.places = DecodePlaces(sandbox: pool, isolation: .sandboxed)
            environment.memory = memory
            return ImageDecoding(coders: CodersManager(BuiltInCoders.all), environment: environment)
        }

        private static func file(_ format: ImageFormat) throws -> ByteRope {
            let coder = try #require(BuiltInCoders.all.first { $0.formats.contains(format) })
            let encoder = try #require(try coder.makeEncoder(for: format, options: EncodeOptions(quality: 95)))
            return ByteRope(try encoder.encode(TestImages.still(try #require(image))))
        }

        private static func options(_ x: Int, _ y: Int) -> ResolvedDecodeOptions {
            var options = ResolvedDecodeOptions()
            options.region = PixelRect(x: x, y: y, width: 90, height: 31)
            return options
        }

        private var workers: Int { pool.processes.count - 1 }

        // NW-03, S3-17
        @Test(arguments: [ImageFormat.jpeg, .png])
        func `One worker keeps the file and the index, and all of it counts in the budget`(_ format: ImageFormat) throws {
            let file = try Self.file(format)
            let whole = try ImageDecoding(coders: CodersManager(BuiltInCoders.all)).decode(file).bitmap
            var processes: [Int32] = []
            for (x, y) in [(600, 590), (3, 0), (310, 300), (600, 590)] {
                let own = try decoding.decode(file, options: Self.options(x, y)).bitmap
                let wanted = try cropped(whole, to: PixelRect(x: x, y: y, width: 90, height: 31))
                #expect(own.packedBytes() == wanted.packedBytes())
                if processes.isEmpty { processes = pool.processes }
                #expect(pool.processes == processes && workers == 1)
            }
            // The index is in the worker, which asked for it.
            #expect(memory.heldBytes > 3 * file.count + 20_000)
            #expect(budget.usedBytes >= memory.heldBytes)
            memory.giveWay()
            #expect(budget.usedBytes == 0 && workers == 0)
            #expect(try decoding.decode(file, options: Self.options(3, 0)).bitmap.width == 90)
        }

        @Test func `Without a memory nothing is kept`() throws {
            let file = try Self.file(.jpeg)
            var decoding = decoding
            decoding.environment.memory = nil
            _ = try decoding.decode(file, options: Self.options(3, 0))
            #expect(memory.heldBytes == 0 && budget.usedBytes == 0 && workers == 0)
        }

        @Test func `A tile that is scrolled away does not cost the file and its index`() async throws {
            let file = try Self.file(.png)
            _ = try decoding.decode(file, options: Self.options(3, 600))
            let processes = pool.processes
            let decoding = decoding
            let task = Task { () -> ImageError.Code? in
                withUnsafeCurrentTask { $0?.cancel() }
                do throws(ImageError) { _ = try decoding.decode(file, options: Self.options(3, 0)) } catch { return error.code }
                return nil
            }
            #expect(await task.value == .cancelled)
            #expect(memory.heldBytes > 3 * file.count && pool.processes == processes)
        }

        @Test func `When the worker was ended between two regions, another one takes the file`() throws {
            let file = try Self.file(.jpeg)
            let first = try decoding.decode(file, options: Self.options(3, 600)).bitmap
            let processes = pool.processes
            #expect(pool.endLargest(above: 0))
            // The region that meets its end may fail.
            let met = try? decoding.decode(file, options: Self.options(3, 600)).bitmap
            let second = try met ?? decoding.decode(file, options: Self.options(3, 600)).bitmap
            #expect(second.packedBytes() == first.packedBytes() && pool.processes != processes && workers == 1)
        }

        @Test func `A large file goes to the worker in pieces`() throws {
            let image = TestImages.still(try TestImages.noise(width: 1900, height: 1700))
            let coder = try #require(BuiltInCoders.all.first { $0.formats.contains(.png) })
            let encoder = try #require(try coder.makeEncoder(for: .png, options: EncodeOptions(effort: 0)))
            let bytes = try encoder.encode(image)
            #expect(bytes.count > 8 << 20)
            // The chunks of a transfer, none of which ends where a piece does.
            var rope = ByteRope()
            for start in stride(from: 0, to: bytes.count, by: 3_000_001) {
                rope.append(Array(bytes[start..<min(start + 3_000_001, bytes.count)]))
            }
            rope.isComplete = true
            let whole = try ImageDecoding(coders: CodersManager(BuiltInCoders.all)).decode(rope).bitmap
            let own = try decoding.decode(rope, options: Self.options(1800, 1660)).bitmap
            #expect(
                own.packedBytes() == (try cropped(whole, to: PixelRect(x: 1800, y: 1660, width: 90, height: 31)).packedBytes()))
            #expect(memory.heldBytes < 2 * bytes.count + 16 << 20)
        }
    }
#endif
