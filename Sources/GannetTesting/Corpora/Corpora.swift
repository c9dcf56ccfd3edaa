import Glibc

/// Test images by other authors, which are not part of the project. The environment variable `GANNET_CORPORA` names their
/// folder; without it, tests that need them are skipped.
package enum Corpora {
    /// The folder; nil if the variable is missing or empty.
    package static let root: String? = getenv("GANNET_CORPORA").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }

    package static var isAvailable: Bool { root != nil }

    /// The bytes of a file below the folder; nil if it cannot be read.
    package static func bytes(of file: String) -> [UInt8]? {
        guard let root else { return nil }
        return readFile(root + "/" + file)
    }

    /// All files with expected results, in the table's order.
    package static func rows() -> [CorporaRow] {
        guard let table = bytes(of: "EXPECTED.tsv") else { return [] }
        return String(decoding: table, as: UTF8.self).split(separator: "\n").dropFirst().compactMap { CorporaRow(line: $0) }
    }

    package static func readFile(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        let size = ftell(file)
        guard size >= 0 else { return nil }
        rewind(file)
        return [UInt8](unsafeUninitializedCapacity: size) { target, count in
            count = fread(target.baseAddress, 1, size, file)
        }
    }
}

/// One line of `EXPECTED.tsv`: the results of independent decoders for a file.
package struct CorporaRow: Sendable {
    package enum MustDecode: String, Sendable { case yes, no, either }

    package var file: String
    package var format: String
    package var group: String
    package var width: Int?
    package var height: Int?
    package var frames: Int?
    /// A number, `infinite`, or empty.
    package var loop: String
    /// Milliseconds; nil for a frame without a delay.
    package var delays: [Int?]
    package var hasAlpha: Bool?
    package var orientation: Int?
    package var mustDecode: MustDecode
    package var firstHash: String
    package var allHash: String
    package var agreement: String
    /// R·A, G·A, B·A and A of frame 0, each 0 … 255; nil if the table has none.
    package var mean: [Double]?
    package var note: String

    init?(line: Substring) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard fields.count >= 15, let mustDecode = MustDecode(rawValue: fields[10]) else { return nil }
        file = fields[0]
        format = fields[1]
        group = fields[2]
        width = Int(fields[3])
        height = Int(fields[4])
        frames = Int(fields[5])
        loop = fields[6]
        delays = fields[7].isEmpty ? [] : fields[7].split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        hasAlpha = fields[8].isEmpty ? nil : fields[8] == "yes"
        orientation = Int(fields[9])
        self.mustDecode = mustDecode
        firstHash = fields[11]
        allHash = fields[12]
        agreement = fields[13]
        let numbers = fields[14].split(separator: ",").compactMap { Double($0) }
        mean = numbers.count == 4 ? numbers : nil
        note = fields.count > 17 ? fields[17] : ""
    }
}
