import GannetCore
import GannetPlatform
import Glibc
import Testing

@testable import GannetSandbox

/// The two files in memory of a worker, from one image to the next.
@Suite struct SandboxMemoryTests {
    /// Bytes of a file that have pages.
    private func held(_ descriptor: Int32) -> Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? 512 * Int(status.st_blocks) : -1
    }

    @Test(arguments: [(file: 64 << 10, keepsFile: true), (file: 128 << 10, keepsFile: false)])
    func pagesOfPixelsStayWhateverTheFileHad(_ sample: (file: Int, keepsFile: Bool)) throws {
        let memory = try SandboxMemory(SandboxLimits(keptPixels: 1 << 20, keptFile: 64 << 10))
        try memory.write(ByteRope([UInt8](repeating: 1, count: sample.file)), 0..<sample.file)
        let layout = PixelLayout(size: PixelSize(clamping: 256, 256), alpha: .premultiplied)
        try memory.reservePixels(layout.byteCount)
        let drawn = [UInt8](repeating: 2, count: layout.byteCount)
        #expect(drawn.withUnsafeBytes { pwrite(memory.output, $0.baseAddress, $0.count, 0) } == drawn.count)
        var pixels = try PixelBuffer(layout)
        memory.copyPixels(into: &pixels)
        memory.trim()
        #expect(held(memory.output) >= layout.byteCount)
        #expect((held(memory.input) > 0) == sample.keepsFile)
    }

    @Test func pagesOfManyPixelsGoWithTheFile() throws {
        let memory = try SandboxMemory(SandboxLimits(keptPixels: 64 << 10, keptFile: 64 << 10))
        try memory.write(ByteRope([1, 2, 3]), 0..<3)
        let layout = PixelLayout(size: PixelSize(clamping: 256, 256), alpha: .premultiplied)
        try memory.reservePixels(layout.byteCount)
        #expect(
            [UInt8](repeating: 2, count: layout.byteCount).withUnsafeBytes { pwrite(memory.output, $0.baseAddress, $0.count, 0) }
                > 0)
        // The decode failed then: no pixels were taken.
        memory.trim()
        #expect(held(memory.output) == 0 && held(memory.input) == 0)
    }
}
