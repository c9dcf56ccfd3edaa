import GannetCodecs
import GannetCore
import GannetTesting

/// Decodes a corpus file through a decode session and compares the result with the table.
struct CorporaJudge {
    enum Verdict: Equatable {
        case right
        case refused
        /// Decoded, but not as the table says.
        case different(String)
        /// Failed where it should decode, or decoded where it should fail.
        case wrong(String)
    }

    var row: CorporaRow

    struct Outcome {
        var header: ImageHeader
        var firstHash: String
        /// Nil if all frames together are too large to examine.
        var allHash: String?
        var mean: [Double]
        var hasClearPixels: Bool
        var firstPixels: [UInt8]
    }

    func judge(_ bytes: ByteRope) -> Verdict {
        guard let (coder, format) = AvailableCoders.recognizing(bytes) else {
            return row.mustDecode == .yes ? .wrong("no coder recognises it") : .refused
        }
        let outcome: Outcome
        do {
            // The hashes are of the high bytes; lossy formats are tried with what people see, 8 bits.
            outcome = try Self.decode(bytes, coder, format, !isLossy, row.mustDecode == .either ? 30_000_000 : 400_000_000)
        } catch {
            return row.mustDecode == .yes ? .wrong("refused: \(error.description)") : .refused
        }
        switch row.mustDecode {
        case .no: return .wrong("decoded, though it must be refused")
        case .either: return .right
        case .yes:
            let differences = compare(outcome)
            return differences.isEmpty ? .right : .different(differences.joined(separator: "; "))
        }
    }

    /// Four bytes a pixel, as ``straightBytes(_:)`` makes them. A layout with alpha alone does not say that any of it is used.
    private static func hasClearPixels(_ pixels: [UInt8]) -> Bool {
        stride(from: 3, to: pixels.count, by: 4).contains { pixels[$0] != 255 }
    }

    /// All frames, as the file stores them: straight alpha, colours not converted, not turned.
    static func decode(
        _ bytes: ByteRope, _ coder: any ImageCoder, _ format: ImageFormat, _ keeps16Bit: Bool, _ maximumPixels: Int
    ) throws(ImageError) -> Outcome {
        var wishes = DecodeOptions()
        wishes.alpha = .straight
        wishes.color = .raw
        wishes.appliesOrientation = false
        wishes.keeps16Bit = keeps16Bit
        let environment = DecodeEnvironment(colorManager: BuiltInCoders.colorManager)
        let decoder = try coder.makeDecoder(for: format, options: ResolvedDecodeOptions(wishes), environment: environment)
        try environment.limits.check(encodedBytes: bytes.count)
        _ = try decoder.read(from: bytes)
        guard let header = decoder.header, let layout = decoder.outputLayout else {
            throw ImageError(.corrupt, "no header after all bytes")
        }
        try environment.limits.check(size: header.size, allocating: layout)
        var first: [UInt8] = []
        var firstHash = ""
        var all = SHA256()
        let frames = header.frameCount ?? 1
        let hashesAll = layout.size.area * frames <= maximumPixels
        var clear = false
        for index in 0..<(hashesAll ? frames : 1) {
            var buffer = try PixelBuffer(layout)
            try decoder.decodeFrame(at: index, into: &buffer)
            let bitmap = buffer.freeze()
            let pixels = Self.straightBytes(bitmap)
            clear = clear || bitmap.layout.alpha != .opaque && Self.hasClearPixels(pixels)
            if index == 0 {
                first = pixels
                firstHash = SHA256.hex(pixels)
            }
            all.update(pixels)
        }
        return Outcome(
            header: header, firstHash: firstHash, allHash: hashesAll ? Hexadecimal.text(of: all.finish()) : nil,
            mean: Self.mean(first),
            hasClearPixels: clear, firstPixels: first)
    }

    private func compare(_ outcome: Outcome) -> [String] {
        var differences: [String] = []
        let header = outcome.header
        if let width = row.width, let height = row.height, let expected = PixelSize(width: width, height: height),
            // Some decoders of the table turn images as they open them.
            expected != header.size, expected != header.orientation.displayed(header.size)
        {
            differences.append("size \(header.size), not \(expected)")
        }
        let frames = header.frameCount ?? 1
        let matchesAll = !row.allHash.isEmpty && outcome.allHash == row.allHash
        if let expected = row.frames, expected != frames, !(matchesAll && row.note.contains("frame counts")) {
            differences.append("\(frames) frames, not \(expected)")
        }
        if !row.firstHash.isEmpty, outcome.firstHash != row.firstHash, !matchesSuite(outcome) {
            differences += pixelDifferences(outcome)
        }
        if row.firstHash.isEmpty, row.mustDecode == .yes { differences += pixelDifferences(outcome) }
        if !row.allHash.isEmpty, let hash = outcome.allHash, hash != row.allHash, differences.isEmpty, row.frames ?? 1 > 1 {
            differences.append("a later frame differs")
        }
        if let expected = row.orientation, expected != header.orientation.rawValue {
            differences.append("orientation \(header.orientation.rawValue), not \(expected)")
        }
        if row.frames ?? 1 > 1 { differences += timingDifferences(header) }
        if let hasAlpha = row.hasAlpha, !hasAlpha, header.hasAlpha, outcome.hasClearPixels, row.mean?[3] == 255 {
            differences.append("alpha where the references have none")
        }
        // Libraries that always deliver four channels report alpha even without any, so only alpha that is used can be missing.
        if let hasAlpha = row.hasAlpha, hasAlpha, !header.hasAlpha, row.mean?[3] != 255 { differences.append("no alpha") }
        return differences
    }

    /// If a test suite and the decoders disagree, the suite's own image beside the file counts too: for GIF where the table says
    /// so, and for JPEG XL, whose conformance suite has the correct pixels of some files.
    private func matchesSuite(_ outcome: Outcome) -> Bool {
        let suffix = "-input.jxl"
        if row.file.hasSuffix(suffix), let bytes = Corpora.bytes(of: String(row.file.dropLast(suffix.count)) + "-ref.png") {
            return ReferencePicture(png: bytes).map { matches($0, outcome) } ?? false
        }
        guard row.note.contains("accept either"), row.file.hasSuffix(".gif") else { return false }
        return Corpora.bytes(of: String(row.file.dropLast(4)) + ".rgba") == outcome.firstPixels
    }

    /// Compares within the table's tolerance for lossy formats.
    private func matches(_ reference: ReferencePicture, _ outcome: Outcome) -> Bool {
        guard let (largest, mean) = reference.difference(from: outcome) else { return false }
        return largest <= 3 && mean <= 0.5
    }

    private func timingDifferences(_ header: ImageHeader) -> [String] {
        var differences: [String] = []
        let loop = header.animation?.loopCount
        switch row.loop {
        // The references say nothing about the loops of AVIF and JPEG XL.
        case "": if !isLossy || row.format == "webp", let loop, loop != 1 { differences.append("loop \(loop), not unset") }
        case "infinite":
            if loop != 0, !row.note.contains("pillow=None") {
                differences.append("loop \(loop.map(String.init) ?? "unset"), not infinite")
            }
        default:
            // Of GIF, the table has repetitions after the first time.
            let plays = Int(row.loop).map { row.format == "gif" && $0 > 0 ? $0 + 1 : $0 }
            if plays != loop ?? 1 { differences.append("loop \(loop.map(String.init) ?? "unset"), not \(row.loop)") }
        }
        let delays = header.animation?.delays ?? []
        if !row.delays.isEmpty, row.delays.count == delays.count {
            for (index, (expected, found)) in zip(row.delays, delays).enumerated() {
                if let expected, expected != found.wholeMilliseconds, expected != Int((found.seconds * 1000).rounded()) {
                    differences.append("delay of frame \(index) is \(found.wholeMilliseconds) ms, not \(expected)")
                    break
                }
            }
        }
        return differences
    }

    private var isLossy: Bool { ["jpeg", "webp", "avif", "heic", "jxl", "svg"].contains(row.format) }

    private func pixelDifferences(_ outcome: Outcome) -> [String] {
        if isLossy, matchesSuite(outcome) { return [] }
        if isLossy, let reference = ReferencePrograms.picture(of: row.file, format: row.format) {
            if matches(reference, outcome) { return [] }
            // If the table's decoders and the program disagree, the table counts.
            if distance(from: Self.mean(reference.pixels)) <= 1 {
                guard let (largest, mean) = reference.difference(from: outcome) else {
                    return ["the reference program's image is \(reference.width)×\(reference.height)"]
                }
                return ["differs from the reference program: at most \(largest), on average \(mean)"]
            }
        }
        let isRounded = row.note.contains("rounding may differ by 1")
        if !isLossy, !isRounded, !row.firstHash.isEmpty { return ["pixels of frame 0 differ"] }
        guard !row.note.contains("implementation-defined") else { return [] }
        return distance(from: outcome.mean) <= 1
            ? [] : ["mean colour \(outcome.mean.map { ($0 * 100).rounded() / 100 }), not \(row.mean ?? [])"]
    }

    /// 0 where the table has no mean colour.
    private func distance(from mean: [Double]) -> Double { zip(row.mean ?? [], mean).map { abs($0 - $1) }.max() ?? 0 }

    /// width × height × 4 bytes; 16-bit channels cut to their high byte; clear pixels are all 0.
    static func straightBytes(_ bitmap: Bitmap) -> [UInt8] {
        var bytes = bitmap.packedBytes()
        if bitmap.layout.format == .rgba16 { bytes = bytes.indices.filter { $0 & 1 == 1 }.map { bytes[$0] } }
        let mode = bitmap.layout.alpha
        bytes.withUnsafeMutableBufferPointer { bytes in
            for pixel in 0..<bytes.count / 4 {
                if mode == .opaque { bytes[pixel * 4 + 3] = 255 }
                guard bytes[pixel * 4 + 3] == 0 else { continue }
                bytes[pixel * 4] = 0
                bytes[pixel * 4 + 1] = 0
                bytes[pixel * 4 + 2] = 0
            }
        }
        return bytes
    }

    static func mean(_ pixels: [UInt8]) -> [Double] {
        var sums = (0, 0, 0, 0)
        pixels.withUnsafeBufferPointer { pixels in
            for index in 0..<pixels.count / 4 {
                let alpha = Int(pixels[index * 4 + 3])
                sums.0 += Int(pixels[index * 4]) * alpha
                sums.1 += Int(pixels[index * 4 + 1]) * alpha
                sums.2 += Int(pixels[index * 4 + 2]) * alpha
                sums.3 += alpha * 255
            }
        }
        let count = Double(max(pixels.count / 4, 1)) * 255
        return [Double(sums.0) / count, Double(sums.1) / count, Double(sums.2) / count, Double(sums.3) / count]
    }
}
