import GannetCache
import GannetCore
import GannetFetch
import GannetPlatform
import Testing

@testable import GannetImages

/// Bytes that are no supported image are named by their format, with the trait or tool that reads them. // FM-01
@Suite struct ForeignFormatTests {
    private func message(_ bytes: [UInt8], formats: [ImageFormat] = [.jpeg, .png]) throws -> String {
        let decoding = ImageDecoding(coders: CodersManager(formats.reversed().map { NothingCoder(format: $0) }))
        let error = #expect(throws: ImageError.self) {
            _ = try decoding.decode(ByteRope(bytes), options: ResolvedDecodeOptions())
        }
        #expect(error?.code == .notAnImage)
        return try #require(error).message
    }

    private func message(_ text: String) throws -> String { try message(Array(text.utf8)) }

    @Test(arguments: [
        " \n<!DOCTYPE html><html>", "<HTML lang=en>", "\u{FEFF}<html>", "<head>",
        "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><body><svg></svg></body></html>",
        "<!-- <svg> --><!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.1//EN'><html><svg/></html>", "<h:html><svg>",
    ]) func pageInPlaceOfAPicture(text: String) throws {
        #expect(try message(text) == "These bytes are a page of HTML, no image in a format of this build (jpeg, png).")
    }

    @Test func formatOfAnotherTrait() throws {
        let avif: [UInt8] = [0, 0, 0, 24] + Array("ftypmif1".utf8) + [0, 0, 0, 0] + Array("mif1avif".utf8)
        #expect(
            try message(avif)
                == "These bytes are an AVIF image, which no coder here reads (jpeg, png). "
                + "Build with the package trait AVIF, or add a coder for it.")
        #expect(try message(Array("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ".utf8), formats: []).contains("(this build reads none)"))
        for svg in ["  <?xml version='1.0'?><svg xmlns=''/>", "<!DOCTYPE svg><svg>", "<s:svg>", "<!-- <html> --><svg>"] {
            #expect(try message(svg).contains("the package trait SVG"))
        }
        #expect(try message("<?xml version='1.0'?><feed><svg/></feed>").contains("an XML document"))
        #expect(try message([0, 0, 0, 12] + Array("ftypisom".utf8)).contains("the package trait Video"))
        let lottie = try message("{\"v\":\"5.7.4\",\"fr\":25,\"ip\":0,\"op\":10,\"w\":64,\"h\":48,\"layers\":[]}")
        #expect(lottie.contains("a Lottie animation") && lottie.contains("the package trait Lottie"))
        for raw in ["FUJIFILMCCD-RAW 0201", "II*\0\u{10}\0\0\0CR\u{2}\0", "\0\0\0\u{18}ftypcrx \0\0\0\u{1}crx isom"] {
            let said = try message(raw)
            #expect(said.contains("a raw file of a camera") && said.contains("the package trait RAW"))
        }
    }

    /// A file that its own coder does not recognise cannot be fixed by enabling a trait that is already enabled.
    @Test func traitThatIsThereIsNotNamed() throws {
        #expect(try !message([0xFF, 0xD8, 0xFF, 0xE0]).contains("trait"))
        #expect(try message([0xFF, 0xD8, 0xFF, 0xE0]).hasPrefix("These bytes begin like a JPEG image, and are none"))
    }

    @Test func everythingElse() throws {
        for bytes in [
            [0], Array("hello".utf8), Array("0000ftyp".utf8), Array("0000ftypabcd".utf8), [UInt8](repeating: 0, count: 600),
        ] {
            #expect(try !message(bytes).isEmpty)
        }
        #expect(try message("hello") == "These bytes are no image in a format of this build (jpeg, png).")
        #expect(try message("{\"error\": 404}").contains("are JSON"))
        #expect(try message("%PDF-1.7").contains("a PDF document"))
    }
}

/// Takes nothing.
private struct NothingCoder: ImageCoder {
    let format: ImageFormat
    var identifier: String { "nothing" }
    var formats: [ImageFormat] { [format] }

    func recognizes(_ head: Span<UInt8>) -> Recognition { .no }
    func makeDecoder(
        for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
    ) throws(ImageError) -> any ImageDecoder {
        throw ImageError(.unsupported, stage: .decode, "takes nothing")
    }
    func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? { nil }
}
