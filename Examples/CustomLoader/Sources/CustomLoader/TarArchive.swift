import Gannet
import Glibc
import Synchronization

/// An open archive and the member that is being read. POSIX tar: headers of 512 bytes, contents padded to 512.
final class TarArchive: Sendable {
    private struct Position {
        var offset = 0
        var left = 0
    }

    private let descriptor: Int32
    private let path: String
    private let position = Mutex(Position())

    init(path: String) throws(ImageError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        self.path = path
        guard descriptor >= 0 else {
            throw ImageError(errno == ENOENT ? .notFound : .io, stage: .load, "The archive \(path) cannot be opened.")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Goes to the member's first byte; answers how many it has.
    func find(_ name: String) throws(ImageError) -> Int {
        var offset = 0
        while let header = try read(512, at: offset), header.count == 512, header[0] != 0 {
            guard let size = Self.octal(header[124..<136]) else {
                throw ImageError(.corrupt, stage: .load, "\(path) is no tar archive.")
            }
            if Self.text(header[0..<100]) == name {
                position.withLock { $0 = Position(offset: offset + 512, left: size) }
                return size
            }
            offset += 512 + (size + 511) / 512 * 512
        }
        throw ImageError(.notFound, stage: .load, "\(path) has no member \(name).")
    }

    /// The member's next bytes, at most 64 KiB; nil at its end. A member that is cut short is an error, never a whole image.
    func next() throws(ImageError) -> [UInt8]? {
        let (offset, count) = position.withLock { position in
            defer {
                position.offset += min(position.left, 65_536)
                position.left -= min(position.left, 65_536)
            }
            return (position.offset, min(position.left, 65_536))
        }
        guard count > 0 else { return nil }
        guard let bytes = try read(count, at: offset), bytes.count == count else {
            throw ImageError(.truncated, stage: .load, "\(path) ends inside the image.")
        }
        return bytes
    }

    private func read(_ count: Int, at offset: Int) throws(ImageError) -> [UInt8]? {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let got = pread(descriptor, buffer.baseAddress, count, off_t(offset))
            failure = got < 0 ? errno : 0
            filled = max(got, 0)
        }
        guard failure == 0 else { throw ImageError(.io, stage: .load, "\(path) cannot be read: error \(failure).") }
        return bytes.isEmpty ? nil : bytes
    }

    private static func text(_ field: ArraySlice<UInt8>) -> String { String(decoding: field.prefix { $0 != 0 }, as: UTF8.self) }

    private static func octal(_ field: ArraySlice<UInt8>) -> Int? {
        let digits = text(field).filter { $0 != " " }
        return digits.isEmpty ? nil : Int(digits, radix: 8).flatMap { $0 >= 0 ? $0 : nil }
    }
}
