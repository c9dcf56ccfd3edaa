import GannetCodecs
import GannetCore

/// One file, decoded by one thread and by several: `jpeg-threads`. The pixels are the same, or both are refused for the same reason.
///
/// Built by `scripts/fuzz.sh`, small files are worth a thread (`GANNET_JPEG_EAGER`).
struct ThreadsTarget {
    let coder: any ImageCoder
    let format: ImageFormat

    func run(_ bytes: [UInt8]) {
        let rope = ByteRope(bytes)
        // The kernel decodes at an eighth, a quarter and half of the size.
        for share in [8, 4, 2] {
            let alone = decode(rope, share, threads: 1)
            guard alone != nil else { return }
            for threads in 2...4 where decode(rope, share, threads: threads) != alone {
                fatalError("\(threads) threads decode another image at 1/\(share) than one.")
            }
        }
    }

    private enum Outcome: Equatable {
        case pixels([UInt8], isPartial: Bool)
        case refused(ImageError.Code)
    }

    /// Nil: the file has no header.
    private func decode(_ rope: ByteRope, _ share: Int, threads: Int) -> Outcome? {
        let environment = DecodeEnvironment(limits: FuzzTarget.limits, reservableBytes: 64 << 20, threads: threads)
        do throws(ImageError) {
            let whole = try coder.makeDecoder(for: format, options: ResolvedDecodeOptions(), environment: environment)
            _ = try whole.read(from: rope)
            guard let size = whole.header?.size else { return nil }
            var options = DecodeOptions()
            options.target = .size(.fit(max(1, size.width / share), max(1, size.height / share)))
            let decoder = try coder.makeDecoder(for: format, options: ResolvedDecodeOptions(options), environment: environment)
            _ = try decoder.read(from: rope)
            guard let header = decoder.header, let layout = decoder.outputLayout else { return nil }
            try FuzzTarget.limits.check(size: header.size, allocating: layout)
            var buffer = try PixelBuffer(layout)
            buffer.fill(0xA5)
            try decoder.decodeFrame(at: 0, into: &buffer)
            return .pixels(buffer.freeze().packedBytes(), isPartial: decoder.isPartial)
        } catch {
            guard error.code != .misuse else { fatalError("A right use of the session throws \(error)") }
            return .refused(error.code)
        }
    }
}
