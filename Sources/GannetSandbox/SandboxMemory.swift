import CGannetSandbox
import GannetCore
import Glibc

/// The two files in memory that a worker shares with the program: the bytes of an image, and its pixels.
///
/// Used by one thread at a time, as its ``SandboxWorker``.
final class SandboxMemory {
    let input: Int32
    let output: Int32
    /// Bytes of the output file, all mapped at `base`. It only grows.
    private var capacity = 0
    /// The output memory. Owned by this object, which unmaps it; the worker writes into the same pages at any time, so whatever
    /// is read from it is copied first.
    private var base: UnsafeMutableRawPointer?
    /// Bytes of the output and of the input that may have pages.
    private var drawn = 0
    private var written = 0
    /// Pages are kept for the next image. Fresh ones cost both processes more time than a fast decoder takes to fill them.
    private let limits: SandboxLimits

    /// Throws `sandboxUnavailable`.
    init(_ limits: SandboxLimits) throws(ImageError) {
        self.limits = limits
        let files = (gannet_sandbox_memory(), gannet_sandbox_memory())
        guard files.0 >= 0, files.1 >= 0 else {
            let error = errno
            for descriptor in [files.0, files.1] where descriptor >= 0 { close(descriptor) }
            throw SandboxUnavailable.system(error)
        }
        (input, output) = files
    }

    deinit {
        if let base { munmap(base, capacity) }
        close(input)
        close(output)
    }

    /// Writes bytes of the file where they stand in it.
    func write(_ rope: ByteRope, _ range: Range<Int>) throws(ImageError) {
        var offset = range.lowerBound
        while offset < range.upperBound, let (index, inside) = rope.locate(offset) {
            let chunk = rope.chunks[index]
            let count = min(chunk.count - inside, range.upperBound - offset)
            let put = chunk.withUnsafeBytes { pwrite(input, $0.baseAddress.map { $0 + inside }, count, off_t(offset)) }
            if put < 0, errno == EINTR { continue }
            guard put > 0 else { throw Self.isMissing }
            offset += put
            written = max(written, offset)
        }
    }

    /// Makes room for a reply of this size in the output.
    func reserve(_ bytes: Int) throws(ImageError) {
        guard bytes > capacity else { return }
        let wanted = max(bytes, 2 * capacity, 1 << 20)
        guard ftruncate(output, off_t(wanted)) == 0 else { throw Self.isMissing }
        if let base { munmap(base, capacity) }
        (base, capacity) = (nil, 0)
        guard let mapped = mmap(nil, wanted, PROT_READ, MAP_SHARED, output, 0), mapped != MAP_FAILED else { throw Self.isMissing }
        (base, capacity) = (mapped, wanted)
    }

    /// The same for pixels, which the worker draws there even if it cannot draw all of them.
    func reservePixels(_ bytes: Int) throws(ImageError) {
        try reserve(bytes)
        drawn = max(drawn, bytes)
    }

    /// Copies the pixels that the worker has drawn, from `offset` on.
    func copyPixels(into buffer: inout PixelBuffer, from offset: Int = 0) {
        let end = offset + buffer.layout.byteCount
        guard let base, end <= capacity else { return }
        buffer.withUnsafeRows { rows, _ in
            rows.update(from: (base + offset).assumingMemoryBound(to: UInt8.self), count: end - offset)
        }
    }

    /// A copy of the first bytes of the output; nil if it has fewer.
    func copy(_ count: Int) -> [UInt8]? {
        guard let base, (0...capacity).contains(count) else { return nil }
        return Array(UnsafeRawBufferPointer(start: base, count: count))
    }

    /// Gives back what a usual image does not need: a large file says nothing about its pixels, whose pages are the dear ones.
    func trim() {
        if drawn > limits.keptPixels { forget() } else if written > limits.keptFile { forgetFile() }
    }

    /// Gives the memory of the last image back to the system.
    func forget() {
        gannet_sandbox_forget(output, UInt64(capacity))
        drawn = 0
        forgetFile()
    }

    /// Gives the memory of a file back that the worker has read.
    func forgetFile() {
        gannet_sandbox_forget(input, UInt64(written))
        written = 0
    }

    private static var isMissing: ImageError {
        ImageError(
            .limitExceeded, stage: .decode,
            "The system has no memory left to hand the image to the sandbox; lower the decode limits or the memory cache.")
    }
}
