import FoundationEssentials
import GannetCodecs
import GannetCore
import Testing

/// Decodes what fuzzers found once, and other files that are wrong on purpose (`Fuzz/Regressions`): each is refused with an error
/// of the data's fault, or decoded, and never taken for a wrong use of the session.
@Suite struct RegressionTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../../Fuzz/Regressions"
    ).path

    private static let allFiles: [String] = {
        let formats = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let files = formats.flatMap { format in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/" + format)) ?? []
            return names.map { format + "/" + $0 }
        }
        return files.sorted()
    }()

    /// Those of the formats of this build.
    static let files: [String] = {
        let formats = Set(BuiltInCoders.all.flatMap { $0.formats.map(\.identifier) })
        return allFiles.filter { formats.contains(String($0.prefix { $0 != "/" })) }
    }()

    @Test func thereAreFiles() { #expect(!Self.allFiles.isEmpty) }

    @Test(arguments: files, [false, true])
    func fileIsDecodedOrRefused(file: String, partial: Bool) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: Self.folder + "/" + file)))
        let format = file.prefix { $0 != "/" }
        let coder = try #require(BuiltInCoders.all.last { $0.formats.contains { $0.identifier == format } })
        do throws(ImageError) {
            try decode(bytes, coder, partial: partial)
        } catch {
            let codes: [ImageError.Code] = [.corrupt, .truncated, .limitExceeded, .unsupported]
            #expect(codes.contains(error.code), "\(error)")
        }
    }

    /// Small previews while the bytes arrive in eight pieces, as views request them.
    @Test(arguments: files)
    func previewsOfFileEndInPicturesOrErrors(file: String) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: Self.folder + "/" + file)))
        let format = file.prefix { $0 != "/" }
        let coder = try #require(BuiltInCoders.all.last { $0.formats.contains { $0.identifier == format } })
        var options = DecodeOptions()
        options.target = .size(.fit(9, 9))
        options.frames = .first
        do throws(ImageError) {
            let decoder = try coder.makeDecoder(
                for: coder.formats[0], options: ResolvedDecodeOptions(options), environment: DecodeEnvironment())
            var rope = ByteRope()
            for piece in 0..<8 {
                rope.append(Array(bytes[bytes.count * piece / 8..<bytes.count * (piece + 1) / 8]))
                _ = try decoder.read(from: rope)
                guard let layout = decoder.outputLayout, layout.size.area < 1 << 16 else { continue }
                var buffer = try PixelBuffer(layout)
                if try decoder.decodePreview(into: &buffer) { #expect(buffer.size == layout.size) }
            }
        } catch {
            #expect(error.code != .misuse, "\(error)")
        }
    }

    private func decode(_ bytes: [UInt8], _ coder: any ImageCoder, partial: Bool) throws(ImageError) {
        let limits = DecodeLimits(maximumPixels: 1 << 16, maximumFrames: 64, maximumDecodeTime: .seconds(60))
        var options = DecodeOptions()
        options.allowsPartial = partial
        let decoder = try coder.makeDecoder(
            for: coder.formats[0], options: ResolvedDecodeOptions(options), environment: DecodeEnvironment(limits: limits))
        _ = try decoder.read(from: ByteRope(Array(bytes.prefix(bytes.count / 2)), isComplete: false))
        _ = try decoder.read(from: ByteRope(bytes))
        guard let header = decoder.header, let layout = decoder.outputLayout else {
            throw ImageError(.misuse, "All bytes were read without an error, but there is no header.")
        }
        try limits.check(size: header.size, allocating: layout)
        for index in 0..<min(header.frameCount ?? 1, 4) {
            var buffer = try PixelBuffer(layout)
            try decoder.decodeFrame(at: index, into: &buffer)
        }
    }
}
