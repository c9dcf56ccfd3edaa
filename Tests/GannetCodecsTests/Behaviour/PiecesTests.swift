import GannetCodecs
import GannetCore
import GannetTesting
import Testing

/// A damaged file has one outcome: the same pixels, or a refusal, however its bytes come and whatever was shown in between. Fuzzers
/// found files for which that did not hold.
@Suite("Damaged files in pieces") struct PiecesTests {  // U-05, CD-43
    private static let formats = BuiltInCoders.all.flatMap { coder in coder.formats.map(\.identifier) }
        .filter { $0 != "svg" && $0 != "pdf" }

    private enum Outcome: Equatable {
        case pixels([UInt8])
        case refused
    }

    private func outcome(_ pieces: [ArraySlice<UInt8>], _ coder: any ImageCoder, _ kind: ImageFormat, previews: Bool) throws
        -> Outcome
    {
        let limits = DecodeLimits(maximumPixels: 1 << 16, maximumFrames: 8)
        do throws(ImageError) {
            let decoder = try coder.makeDecoder(
                for: kind, options: ResolvedDecodeOptions(DecodeOptions()),
                environment: DecodeEnvironment(limits: limits))
            var rope = ByteRope()
            for piece in pieces {
                rope.append(Array(piece))
                _ = try decoder.read(from: rope)
                guard previews, let layout = decoder.outputLayout, let size = decoder.header?.size else { continue }
                try limits.check(size: size, allocating: layout)
                var buffer = try PixelBuffer(layout)
                _ = try decoder.decodePreview(into: &buffer)
            }
            rope.isComplete = true
            _ = try decoder.read(from: rope)
            guard let layout = decoder.outputLayout, let size = decoder.header?.size else { return .refused }
            try limits.check(size: size, allocating: layout)
            var buffer = try PixelBuffer(layout)
            try decoder.decodeFrame(at: 0, into: &buffer)
            return .pixels(buffer.freeze().packedBytes())
        } catch {
            #expect(error.code != .misuse, "\(error)")
            return .refused
        }
    }

    // U-05
    @Test(arguments: formats) func oneOutcome(format: String) throws {
        let coder = try #require(BuiltInCoders.all.last { $0.formats.contains { $0.identifier == format } })
        // libjpeg-turbo and libwebp decode otherwise where many bytes are at hand.
        let isLarge = ["jpeg", "webp"].contains(format)
        let picture = TestImages.still(
            try isLarge ? TestImages.noise(width: 64, height: 64) : TestImages.gradient(width: 20, height: 12))
        let kind = try #require(coder.formats.first { $0.identifier == format })
        for progressive in isLarge ? [false, true] : [false] {
            let options = EncodeOptions(quality: 85, effort: 0, progressive: progressive)
            guard let encoder = try coder.makeEncoder(for: kind, options: options) else { return }
            let file = try encoder.encode(picture)
            var state: UInt64 = 1
            func random(_ bound: Int) -> Int {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int(state >> 33) % bound
            }
            for mutant in 0..<(isLarge ? 150 : 40) {
                var bytes = file
                for _ in 0...random(3) { bytes[random(bytes.count)] = UInt8(random(256)) }
                let step = max(1, bytes.count / 7)
                let pieces = stride(from: 0, to: bytes.count, by: step).map { bytes[$0..<min($0 + step, bytes.count)] }
                let whole = try outcome([bytes[...]], coder, kind, previews: false)
                let cut = try outcome(pieces, coder, kind, previews: true)
                // libde265 leaves old memory where slices are missing, so damaged HEIC does not give the same pixels twice.
                if format == "heic", whole != Outcome.refused, cut != Outcome.refused { continue }
                #expect(whole == cut, "mutant \(mutant)")
            }
        }
    }
}
