package import GannetCore

/// Finds Content Credentials (C2PA 2.1, "Embedding manifests"): signed statements of who made an image and with what. They are signed for
/// the file as it is, so nothing that Gannet writes has them. They are found, and not checked.
package enum ContentCredentials {
    /// Bytes of the manifests in a JPEG, PNG, WebP, AVIF, HEIC, JPEG XL or video; 0: there are none. Reads lengths and types alone, and no more than
    /// ``maximumParts`` of them.
    package static func byteCount(in file: ByteRope) -> Int {
        // A damaged length says more than there is.
        min(max(PartReader(file: file).found, 0), file.count)
    }

    fileprivate static let maximumParts = 1024
}

private struct PartReader {
    let file: ByteRope

    /// As the file says.
    var found: Int {
        if begins(with: [0xFF, 0xD8, 0xFF]) { return inJPEG() }
        if begins(with: [0x89, 0x50, 0x4E, 0x47]) { return inPNG() }
        if begins(with: Array("RIFF".utf8)) { return inRIFF() }
        return inBoxes()
    }

    private func begins(with start: [UInt8]) -> Bool { start.indices.allSatisfy { byte($0) == start[$0] } }

    /// Segments of the marker APP11, which have boxes of JUMBF in pieces (ISO/IEC 19566-5, annex D). The first piece has the length of all.
    private func inJPEG() -> Int {
        var position = 2
        for _ in 0..<ContentCredentials.maximumParts {
            guard byte(position) == 0xFF, let marker = byte(position + 1), marker >= 0xC0, marker != 0xDA,
                let length = number(position + 2, 2), length >= 2
            else { return 0 }
            let content = position + 4
            // "JP", the number of the box and of the piece, and the box.
            if marker == 0xEB, number(content, 2) == 0x4A50, number(content + 4, 4) == 1, isManifest(at: content + 8) {
                return number(content + 8, 4) ?? 0
            }
            position += 2 + length
        }
        return 0
    }

    private func inPNG() -> Int {
        var position = 8
        for _ in 0..<ContentCredentials.maximumParts {
            guard let length = number(position, 4), let type = number(position + 4, 4), type != Self.type("IDAT") else {
                return 0
            }
            if type == Self.type("caBX") { return length }
            position += 12 + length
        }
        return 0
    }

    private func inRIFF() -> Int {
        var position = 12
        for _ in 0..<ContentCredentials.maximumParts {
            guard let type = number(position, 4), let length = littleEndian(position + 4) else { return 0 }
            if type == Self.type("C2PA") { return length }
            position += 8 + length + length & 1
        }
        return 0
    }

    /// Boxes of ISO base media files and of JPEG XL.
    private func inBoxes() -> Int {
        var position = 0
        for _ in 0..<ContentCredentials.maximumParts {
            guard var length = number(position, 4), let type = number(position + 4, 4) else { return 0 }
            let isLong = length == 1
            if isLong { length = number(position + 8, 8) ?? 0 }
            if length == 0 { length = file.count - position }
            let header = isLong ? 16 : 8
            guard length >= header, length <= file.count - position else { return 0 }
            if type == Self.type("uuid"), Self.boxName.indices.allSatisfy({ byte(position + header + $0) == Self.boxName[$0] }) {
                return length - header - Self.boxName.count
            }
            if type == Self.type("jumb"), isManifest(at: position) { return length }
            position += length
        }
        return 0
    }

    /// A superbox of JUMBF whose description has C2PA's name.
    private func isManifest(at position: Int) -> Bool {
        number(position + 4, 4) == Self.type("jumb") && number(position + 12, 4) == Self.type("jumd")
            && number(position + 16, 4) == Self.type("c2pa")
    }

    private static let boxName: [UInt8] = [
        0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81,
    ]

    private static func type(_ name: StaticString) -> Int {
        // The name is in the program's constants, which last.
        name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | Int($1) } }
    }

    private func byte(_ offset: Int) -> UInt8? {
        file.locate(offset).map { file.chunks[$0.chunk][$0.inside] }
    }

    /// Big-endian; nil beyond the end of the file, and where it is more than `Int.max`.
    private func number(_ offset: Int, _ count: Int) -> Int? {
        var value: UInt64 = 0
        for index in 0..<count {
            guard let byte = byte(offset + index) else { return nil }
            value = value << 8 | UInt64(byte)
        }
        return Int(exactly: value)
    }

    private func littleEndian(_ offset: Int) -> Int? {
        number(offset, 4).map { Int(UInt32($0).byteSwapped) }
    }
}
