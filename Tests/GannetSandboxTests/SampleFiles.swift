import GannetCodecs
import GannetCore
import GannetTesting

/// Files that the tests make.
enum SampleFiles {
    /// One of each format that this build writes.
    static func written() throws -> [(name: String, bytes: [UInt8])] {
        let image = TestImages.still(try TestImages.gradient(width: 61, height: 43))
        var files: [(name: String, bytes: [UInt8])] = []
        for coder in BuiltInCoders.all {
            for format in coder.formats {
                guard let encoder = try coder.makeEncoder(for: format, options: EncodeOptions()) else { continue }
                files.append((format.identifier, try encoder.encode(image)))
            }
        }
        return files
    }

    private static let letters: [(encoding: String, bytes: [UInt8])] = [
        ("windows-1252", [0xE9]), ("ISO-8859-2", [0xB3]), ("ISO-8859-15", [0xA4]), ("KOI8-R", [0xD1]),
        ("Shift_JIS", [0x93, 0xFA]),
        ("EUC-JP", [0xC6, 0xFC]), ("EUC-KR", [0xC7, 0xD1]), ("Big5", [0xA4, 0xA4]), ("GB18030", [0xD6, 0xD0]),
        ("GBK", [0xD6, 0xD0]),
        ("ISO-8859-1", [0xE9]), ("UTF-8", [0xE0, 0xB8, 0x81]),
    ]

    /// Documents that differ in their encoding, each with a letter beyond ASCII.
    static var documents: [(name: String, bytes: [UInt8])] { letters.map { ($0.encoding, document($0.encoding, $0.bytes)) } }

    private static func document(_ encoding: String, _ letter: [UInt8]) -> [UInt8] {
        var bytes = Array(#"<?xml version="1.0" encoding="\#(encoding)"?><svg xmlns="http://www.w3.org/2000/svg" "#.utf8)
        bytes += Array(#"width="40" height="40"><text y="30" font-size="30">"#.utf8)
        return bytes + letter + Array("</text></svg>".utf8)
    }
}
