import GannetCodecs
import GannetCore
import Glibc

/// The checks for each input: the ways of decoding one after the other, and the promises that must hold between them.
///
/// Inputs have no prefix of our own bytes, so every file of a format is an input and every finding is a file.
struct FuzzTarget {
    /// libFuzzer's callback is a plain function; one thread writes this once, before it runs.
    nonisolated(unsafe) static var current: FuzzTarget?

    let coder: any ImageCoder
    let format: ImageFormat
    /// Nil: whole files are decoded.
    let regions: RegionTarget?
    /// Nil: one thread decodes.
    let threads: ThreadsTarget?

    /// Formats with an index, whose regions are a target of their own.
    static let indexed: [ImageFormat] = [.jpeg, .png]
    /// Formats that several threads of ours decode, which are a target too.
    static let threaded: [ImageFormat] = [.jpeg]
    private static let (ofRegions, ofThreads) = ("-regions", "-threads")

    /// All targets of this build.
    static var names: [String] {
        let formats = BuiltInCoders.all.flatMap(\.formats)
        return formats.map(\.identifier) + formats.filter(indexed.contains).map { $0.identifier + ofRegions }
            + formats.filter(threaded.contains).map { $0.identifier + ofThreads }
    }

    init?(format target: String) {
        let suffix = [Self.ofRegions, Self.ofThreads].first { target.hasSuffix($0) } ?? ""
        let name = String(target.dropLast(suffix.count))
        for coder in BuiltInCoders.all.reversed() {
            guard let format = coder.formats.first(where: { $0.identifier == name }) else { continue }
            self.coder = coder
            self.format = format
            regions = suffix == Self.ofRegions ? RegionTarget(coder) : nil
            threads = suffix == Self.ofThreads ? ThreadsTarget(coder: coder, format: format) : nil
            return
        }
        return nil
    }

    /// Small, so that an input costs little time and memory; a decoder that allocates more breaks libFuzzer's own limit.
    static let limits = DecodeLimits(
        maximumPixels: 1 << 18, maximumDecodedBytes: 4 << 20, maximumEncodedBytes: 1 << 20, maximumFrames: 64,
        maximumMetadataBytes: 1 << 16, maximumScans: 20, maximumDecodeTime: .seconds(10))

    func run(_ bytes: [UInt8]) {
        if let regions { return regions.run(bytes) }
        if let threads { return threads.run(bytes) }
        _ = coder.recognizes(bytes.span)
        let whole = decode([bytes], DecodeOptions())
        // The same bytes in pieces: the same picture.
        var pieces: [[UInt8]] = []
        let step = max(1, bytes.count / 7)
        for start in stride(from: 0, to: bytes.count, by: step) {
            pieces.append(Array(bytes[start..<min(start + step, bytes.count)]))
        }
        let cut = decode(pieces, DecodeOptions(), previews: true)
        switch (whole, cut) {
        case (.success(let whole), .success(let cut)):
            // libde265 leaves old memory where slices are missing, and libjpeg-turbo has two decoders for baseline data, which
            // decode damaged data differently.
            guard whole == cut || format == .heic || format == .jpeg else {
                fatalError("Another picture when the bytes come in pieces.")
            }
        case (.failure, .failure): break
        case (.success, .failure(let error)): fatalError("In pieces the bytes fail, in one they do not: \(error)")
        case (.failure(let error), .success): fatalError("In one the bytes fail, in pieces they do not: \(error)")
        }
        var options = DecodeOptions()
        options.target = .size(.fit(9, 7))
        // Small files are decoded whole for it, large ones by other ways than their pixels.
        _ = decode([bytes], options)
        options.allowsPartial = true
        options.alpha = .straight
        options.keeps16Bit = true
        _ = decode([bytes], options)
        options.frames = .first
        _ = decode(pieces, options, previews: true)
    }

    /// A checksum of the first frames, or why the file is refused.
    private func decode(_ pieces: [[UInt8]], _ own: DecodeOptions, previews: Bool = false) -> Result<UInt64, ImageError> {
        let environment = DecodeEnvironment(limits: Self.limits, reservableBytes: 64 << 20)
        do throws(ImageError) {
            let decoder = try coder.makeDecoder(for: format, options: ResolvedDecodeOptions(own), environment: environment)
            var rope = ByteRope()
            for piece in pieces {
                rope.append(piece)
                _ = try decoder.read(from: rope)
                guard previews, let header = decoder.header, let layout = decoder.outputLayout else { continue }
                try Self.limits.check(size: header.size, allocating: layout)
                var buffer = try PixelBuffer(layout)
                _ = try decoder.decodePreview(into: &buffer)
            }
            rope.isComplete = true
            _ = try decoder.read(from: rope)
            guard let header = decoder.header, let layout = decoder.outputLayout, let count = header.frameCount else {
                fatalError("All bytes were read without an error, but there is no header.")
            }
            try Self.limits.check(size: header.size, allocating: layout)
            var sum: UInt64 = 14_695_981_039_346_656_037
            for index in 0..<min(count, 4) {
                var buffer = try PixelBuffer(layout)
                // The buffer's old content must not show through.
                buffer.fill(index & 1 == 0 ? 0xA5 : 0x5A)
                try decoder.decodeFrame(at: index, into: &buffer)
                for byte in buffer.freeze().packedBytes() { sum = (sum ^ UInt64(byte)) &* 1_099_511_628_211 }
            }
            _ = decoder.exif
            return .success(sum)
        } catch {
            guard error.code != .misuse else { fatalError("A right use of the session throws \(error)") }
            return .failure(error)
        }
    }
}
