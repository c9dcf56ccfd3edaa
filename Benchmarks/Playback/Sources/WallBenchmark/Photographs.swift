import Gannet
import Glibc

/// Different photographs, cut from a few large ones.
enum Photographs {
    /// Writes JPEG files of 640 to 1,024 pixels, no two of them with the same part of a photograph. Those that are there stay.
    static func write(_ count: Int, to folder: String, from photographs: [String]) async throws {
        mkdir(folder, 0o755)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in photographs.indices {
                // Two at once: a photograph takes 50 MiB.
                if index >= 2 { try await group.next() }
                group.addTask { try await write(part: index, of: photographs.count, count, to: folder, from: photographs[index]) }
            }
            try await group.waitForAll()
        }
    }

    private static func write(part index: Int, of parts: Int, _ count: Int, to folder: String, from photograph: String)
        async throws
    {
        let numbers = stride(from: index, to: count, by: parts).filter { access(path($0, in: folder), F_OK) != 0 }
        if numbers.isEmpty { return }
        let whole = try await ImageManager.shared.image(for: ImageRequest(source: .file(photograph))).image
        for number in numbers {
            let part = try whole.cropped(to: part(number / parts, of: whole.bitmap.size))
            try await part.write(to: path(number, in: folder), options: EncodeOptions(format: .jpeg, quality: 82))
        }
    }

    static func files(in folder: String) throws -> [String] {
        guard let directory = opendir(folder) else { throw ImageError(.io, "\(folder) cannot be read.") }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".jpg") { names.append(name) }
        }
        return names.sorted().map { folder + "/" + $0 }
    }

    private static func path(_ number: Int, in folder: String) -> String {
        let digits = String(number)
        return folder + "/" + String(repeating: "0", count: max(6 - digits.count, 0)) + digits + ".jpg"
    }

    /// The same parts in every run, scattered over the photograph.
    private static func part(_ number: Int, of size: PixelSize) -> PixelRect {
        let width = min(640 + number * 37 % 385, size.width)
        let height = min(width * (number % 3 == 0 ? 2 : 3) / 4 + 160, size.height)
        let (free, high) = (size.width - width, size.height - height)
        return PixelRect(
            x: free == 0 ? 0 : number * 7_919 % (free + 1), y: high == 0 ? 0 : number * 5_003 % (high + 1), width: width,
            height: height)
    }
}
