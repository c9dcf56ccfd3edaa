import CSandboxFaults
import GannetCore
import GannetPlatform
import Testing

@testable import GannetImages
@testable import GannetSandbox

/// The memory of workers is known, bounded and given back.
@Suite struct WorkerMemoryTests {
    private func decoding(_ pool: SandboxPool) -> ImageDecoding {
        var decoding = ImageDecoding.sandboxed(by: pool)
        decoding.environment.places.origin = ImageOrigin(of: ImageSource("https://a.example/"))
        return decoding
    }

    @Test("At rest no worker is left that has decoded something")
    func rest() throws {
        let pool = SandboxPool(kept: 2)
        #expect(try decoding(pool).gray(FaultCoder.file(.draw, 77)) == 77)
        let zygote = try #require(pool.zygoteProcess)
        #expect(Set(pool.processes) == Set(try Remains.children(of: zygote) + [zygote]) && pool.processes.count == 2)
        #expect(pool.processes.allSatisfy { (SystemMemory().process(String($0))?.own ?? 0) > 0 })
        pool.rest()
        #expect(pool.processes == [zygote])
        #expect(try Remains.children(of: zygote) == [])
        #expect(try decoding(pool).gray(FaultCoder.file(.draw, 78)) == 78)
    }

    @Test("A worker that has too much is ended, and its file is too large")
    func endLargest() throws {
        let pool = SandboxPool(kept: 1)
        let session = try decoding(pool).open(FaultCoder.file(.draw, 77), ResolvedDecodeOptions())
        #expect(!pool.endLargest(above: 1 << 40))
        #expect(pool.endLargest(above: 0))
        // It is counted once.
        #expect(!pool.endLargest(above: 0))
        let error = #expect(throws: ImageError.self) { try session.decode() }
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.contains("Raise the limit of memory") == true)
        #expect(try decoding(pool).gray(FaultCoder.file(.draw, 78)) == 78)
    }

    @Test("The file and the pixels of a worker count in the budget, until the session ends")
    func copies() throws {
        let pool = SandboxPool(kept: 1)
        var decoding = decoding(pool)
        let budget = ResourceBudget(capacity: 1 << 20)
        decoding.environment.budget = budget
        let file = FaultCoder.file(.draw, 77)
        let image = try decoding.decode(file)
        #expect(image.bitmap.row(0)[0] == 77)
        #expect(budget.peakBytes >= 3 * file.count + image.bitmap.layout.byteCount)
        #expect(budget.usedBytes == 0)
        decoding.environment.budget = ResourceBudget(capacity: 3 * file.count - 1)
        let error = #expect(throws: ImageError.self) { try decoding.decode(file) }
        #expect(error?.code == .limitExceeded)
    }
}
