import FoundationEssentials

/// Something to load.
enum Demo {
    /// An archive with one member, `birds/gannet.ppm`, an image of 4 × 2 pixels. Answers its path.
    static func writeArchive(in folder: String) throws -> String {
        let pixels = Array("P6 4 2 255\n".utf8) + (0..<8).flatMap { [UInt8($0 * 30), 200, 120] }
        var header = [UInt8](repeating: 0, count: 512)
        func put(_ text: String, at offset: Int) { for (index, byte) in text.utf8.enumerated() { header[offset + index] = byte } }
        put("birds/gannet.ppm", at: 0)
        put(String(String(pixels.count, radix: 8)), at: 124)
        put("0", at: 156)
        put("ustar", at: 257)
        let padding = [UInt8](repeating: 0, count: 512 - pixels.count % 512 + 1024)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/birds.tar"
        try Data(header + pixels + padding).write(to: URL(filePath: path))
        return path
    }
}
