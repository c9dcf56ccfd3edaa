import GannetCore
import GannetImages
import GannetTesting
import Glibc
import Testing

/// The files of other people, against the answers of independent decoders.
///
/// A debug build takes a sample of the small files; `scripts/conformance.sh` runs all of them in a release build.
@Suite(.serialized, .enabled(if: Corpora.isAvailable, "GANNET_CORPORA is not set"))
struct CorporaTests {
    // CD-01, CD-10
    @Test(
        arguments: [
            "jpeg", "png", "apng", "gif", "webp", "avif", "heic", "jxl", "tiff", "bmp", "ico", "svg",
        ].filter { AvailableCoders.knows($0) && isWanted($0) })
    func filesOfAFormatDecodeAsReferencesSay(format: String) throws {
        var tally = CorporaTally(format: format)
        for row in Corpora.rows() where row.format == format && Self.isChosen(row) && Self.hasKnownContent(row) {
            guard let bytes = Corpora.bytes(of: row.file) else { continue }
            #if DEBUG
                if bytes.count > 20_000 { continue }
            #endif
            Self.note(row.file)
            let rope = ByteRope(bytes)
            for way in [Self.header, Self.thumbnail, Self.previews] {
                let meter = ProcessMeter()
                way(rope)
                tally.add(meter, of: row)
            }
            let meter = ProcessMeter()
            let verdict = CorporaJudge(row: row).judge(rope)
            tally.add(meter, of: row)
            tally.add(verdict, of: row)
        }
        tally.write()
        #expect(tally.unexplained == [])
        #expect(tally.valid.files > 0)
    }

    private static func isWanted(_ format: String) -> Bool {
        guard let wanted = getenv("GANNET_CORPORA_FORMAT").map({ String(cString: $0) }), !wanted.isEmpty else { return true }
        return wanted == format
    }

    /// `gen-wrong-png-named.jpg` is a PNG, which a build for JPEG alone rightly refuses.
    private static func hasKnownContent(_ row: CorporaRow) -> Bool {
        guard let tail = row.file.split(separator: "/").last, tail.hasPrefix("gen-wrong-") else { return true }
        return tail.split(separator: "-").dropFirst(2).first.map { AvailableCoders.knows(String($0)) } ?? true
    }

    /// In a debug build every third file, and none with many pixels.
    private static func isChosen(_ row: CorporaRow) -> Bool {
        #if DEBUG
            let pixels = (row.width ?? 64) * (row.height ?? 64) * (row.frames ?? 1)
            return pixels <= 20_000 && row.file.utf8.reduce(0) { $0 &* 31 &+ Int($1) } % 3 == 0
        #else
            return getenv("GANNET_CORPORA_FILES").map { row.file.contains(String(cString: $0)) } ?? true
        #endif
    }

    /// The last file before a crash is named in the file that `GANNET_CONFORMANCE_LAST` names.
    private static func note(_ name: String) {
        guard let path = getenv("GANNET_CONFORMANCE_LAST"), let file = fopen(path, "w") else { return }
        fputs(name + "\n", file)
        fclose(file)
    }

    // MARK: - Whatever the file is, each way of decoding ends with an image or an error

    private static let decoding: ImageDecoding = {
        var decoding = ImageDecoding(coders: AvailableCoders.manager)
        #if DEBUG
            decoding.environment.limits.maximumPixels = 60_000
        #endif
        return decoding
    }()

    private static func options(_ change: (inout DecodeOptions) -> Void) -> ResolvedDecodeOptions {
        var options = DecodeOptions()
        options.limits = decoding.environment.limits
        change(&options)
        return ResolvedDecodeOptions(options)
    }

    private static func header(_ rope: ByteRope) { _ = try? decoding.header(of: rope, options: options { _ in }) }

    private static func thumbnail(_ rope: ByteRope) {
        let wishes = options {
            $0.target = .size(.fit(48, 48))
            $0.frames = .first
            $0.allowsPartial = true
        }
        _ = try? decoding.decode(rope, options: wishes)
    }

    private static func previews(_ rope: ByteRope) {
        let session = PreviewSession(decoding: decoding, options: options { $0.target = .size(.fit(48, 48)) })
        let bytes = rope.contiguous()
        var part = ByteRope()
        for piece in 0..<4 {
            part.append(Array(bytes[bytes.count * piece / 4..<bytes.count * (piece + 1) / 4]))
            if case .animated(let clip)? = session.preview(from: part) { _ = try? clip.blockingFrame(at: clip.frameCount - 1) }
        }
    }
}
