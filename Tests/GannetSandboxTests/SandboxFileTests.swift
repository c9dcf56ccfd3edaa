#if PNG && JPEG
    import CSandboxFaults
    import GannetCodecs
    import GannetCore
    import GannetKernels
    import GannetPlatform
    import GannetTesting
    import Glibc
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
        func `One worker keeps the file and the index, and all of it counts in the budget`(_ format: ImageFormat) async throws {
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
            #expect(await eventually { budget.usedBytes == 0 && workers == 0 })
            #expect(try decoding.decode(file, options: Self.options(3, 0)).bitmap.width == 90)
        }

        @Test func `A region without a memory has a worker of its own, which ends`() throws {
            let file = try Self.file(.jpeg)
            _ = try decoding.decode(file, options: Self.options(3, 600))
            let (processes, held) = (pool.processes, memory.heldBytes)
            #expect(workers == 1 && held > 0)
            var other = decoding
            (other.environment.memory, other.environment.budget) = (nil, ResourceBudget(capacity: 64 << 20))
            _ = try other.decode(file, options: Self.options(3, 0))
            // That file is not counted any more, and the one that was kept still is.
            #expect(other.environment.budget.peakBytes >= 3 * file.count && other.environment.budget.usedBytes == 0)
            #expect(pool.processes == processes && memory.heldBytes == held)
        }

        // NW-03, S3-06
        @Test(.timeLimit(.minutes(1))) func `A region that has begun ends with its view`() async throws {
            var decoding = ImageDecoding.sandboxed(by: pool)
            (decoding.environment.memory, decoding.environment.budget) = (memory, budget)
            let endless = decoding
            let task = Task(executorPreference: BlockingExecutor.decoding) { () -> ImageError.Code? in
                let file = FaultCoder.file(.commitEarly, UInt8(FAULT_ENDLESS_LOOP.rawValue))
                do throws(ImageError) { _ = try endless.decode(file) } catch { return error.code }
                return nil
            }
            // The worker has been given the file.
            #expect(await eventually { budget.usedBytes > 0 })
            task.cancel()
            #expect(await task.value == .cancelled)
            #expect(memory.heldBytes == 0 && workers == 0)
            #expect(try decoding.gray(FaultCoder.file(.draw, 77)) == 77)
        }

        // S3-17
        @Test(.timeLimit(.minutes(1))) func `Whoever lets the file go does not wait for the end of its worker`() async throws {
            _ = try decoding.decode(try Self.file(.jpeg), options: Self.options(3, 600))
            let zygote = try #require(pool.zygoteProcess)
            // It ends nothing now.
            #expect(kill(zygote, SIGSTOP) == 0)
            memory.giveWay()
            #expect(memory.heldBytes == 0 && budget.usedBytes > 0)
            #expect(kill(zygote, SIGCONT) == 0)
            #expect(await eventually { budget.usedBytes == 0 && workers == 0 })
        }

        @Test func `When the worker was ended between two regions, another one takes the file`() async throws {
            let file = try Self.file(.jpeg)
            let first = try decoding.decode(file, options: Self.options(3, 600)).bitmap
            let processes = pool.processes
            let worker = try #require(processes.last)
            #expect(pool.endLargest(above: 0))
            // Until it has ended: its socket then says so.
            #expect(await eventually { SystemMemory().text("/proc/\(worker)/stat")?.contains(") Z ") ?? true })
            let second = try decoding.decode(file, options: Self.options(3, 600)).bitmap
            #expect(second.packedBytes() == first.packedBytes() && pool.processes != processes && workers == 1)
        }

        @Test func `A large file goes to the worker in pieces`() throws {
            let image = TestImages.still(try TestImages.noise(width: 2600, height: 2400))
            let coder = try #require(BuiltInCoders.all.first { $0.formats.contains(.png) })
            let encoder = try #require(try coder.makeEncoder(for: .png, options: EncodeOptions(effort: 0)))
            let bytes = try encoder.encode(image)
            #expect(bytes.count > 16 << 20)
            // The chunks of a transfer, none of which ends where a piece does.
            var rope = ByteRope()
            for start in stride(from: 0, to: bytes.count, by: 3_000_001) {
                rope.append(Array(bytes[start..<min(start + 3_000_001, bytes.count)]))
            }
            rope.isComplete = true
            let whole = try ImageDecoding(coders: CodersManager(BuiltInCoders.all)).decode(rope).bitmap
            let part = PixelRect(x: 2500, y: 2360, width: 90, height: 31)
            let own = try decoding.decode(rope, options: Self.options(part.x, part.y)).bitmap
            #expect(own.packedBytes() == (try cropped(whole, to: part).packedBytes()))
            // Both copies and one piece, with the states of unpacking: not the file a third time.
            #expect(memory.heldBytes > 2 * bytes.count + 8 << 20 && memory.heldBytes < 3 * bytes.count)
        }
    }
#endif
