import GannetCodecs
import GannetCore
import GannetTesting
import Glibc
import Synchronization

/// The programs that come with the libraries, where they are installed: the measure of lossy images.
enum ReferencePrograms {
    /// Shell commands that decode `$1` into the new folder `$2`.
    private static let commands = [
        "jpeg": "djpeg -rgb -pnm -outfile $2/out.pnm $1",
        "webp": "dwebp -quiet -pam $1 -o $2/out.pnm",
        "avif": "avifdec --no-strict -d 8 $1 $2/out.png",
        "heic": "heif-convert $1 $2/out.png",
        "jxl": "djxl $1 $2/out.png",
    ]

    /// The first frame of a file as the program decodes it; nil if the program is missing or refuses the file.
    static func picture(of file: String, format: String) -> ReferencePicture? {
        guard let command = commands[format], let root = Corpora.root, !file.contains("'") else { return nil }
        var template = Array("/tmp/gannet-reference-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { _ = run("rm -rf \(folder)") }
        let arguments = "set -- '\(root)/\(file)' \(folder); "
        guard run(arguments + "timeout 60 " + command.replacing("$1", "\"$1\"") + " >/dev/null 2>&1") else { return nil }
        if let bytes = Corpora.readFile(folder + "/out.pnm") { return ReferencePicture(pnm: bytes) }
        for name in ["out.png", "out-1.png", "out-0.png"] {
            if let bytes = Corpora.readFile(folder + "/" + name) { return ReferencePicture(png: bytes) }
        }
        return nil
    }

    private static func run(_ command: String) -> Bool {
        guard let pipe = popen(command, "r") else { return false }
        return pclose(pipe) == 0
    }
}

extension String {
    fileprivate func replacing(_ part: String, _ other: String) -> String {
        split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
    }
}

/// The output of a reference program: straight RGBA.
struct ReferencePicture {
    var width: Int
    var height: Int
    var pixels: [UInt8]

    /// PGM, PPM, or PAM with red, green, blue and alpha; 8 bits.
    init?(pnm bytes: [UInt8]) {
        var position = 0
        func token() -> String {
            while position < bytes.count, bytes[position] <= 32 { position += 1 }
            let start = position
            while position < bytes.count, bytes[position] > 32 { position += 1 }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }
        var (width, height, channels) = (0, 0, 0)
        switch token() {
        case "P5": channels = 1
        case "P6": channels = 3
        case "P7":
            channels = 4
            while position < bytes.count {
                let word = token()
                if word == "ENDHDR" { break }
                if word == "WIDTH" { width = Int(token()) ?? 0 }
                if word == "HEIGHT" { height = Int(token()) ?? 0 }
            }
        default: return nil
        }
        if channels < 4 {
            width = Int(token()) ?? 0
            height = Int(token()) ?? 0
            guard token() == "255" else { return nil }
        }
        position += 1
        guard width > 0, height > 0, bytes.count - position >= width * height * channels else { return nil }
        self.width = width
        self.height = height
        pixels = [UInt8](repeating: 255, count: width * height * 4)
        for index in 0..<width * height {
            for channel in 0..<max(3, channels) {
                pixels[index * 4 + channel] = bytes[position + index * channels + min(channel, channels - 1)]
            }
        }
    }

    /// Nil in a build without PNG.
    init?(png bytes: [UInt8]) {
        #if PNG
            let judge = CorporaJudge.decode
            guard let outcome = try? judge(ByteRope(bytes), PNGCoder(), .png, false, 0) else { return nil }
            width = outcome.header.size.width
            height = outcome.header.size.height
            pixels = outcome.firstPixels
        #else
            return nil
        #endif
    }

    /// Largest and mean difference over channels, where both are not clear. Some programs turn images upright. Nil: another size.
    func difference(from outcome: CorporaJudge.Outcome) -> (largest: Int, mean: Double)? {
        let size = outcome.header.size
        let orientation = outcome.header.orientation
        var answers: [(largest: Int, mean: Double)] = []
        if size.width == width, size.height == height { answers.append(difference(from: outcome.firstPixels)) }
        let displayed = orientation.displayed(size)
        if orientation != .up, displayed.width == width, displayed.height == height {
            answers.append(difference(from: orientation.upright(outcome.firstPixels, size)))
        }
        return answers.min { $0.mean < $1.mean }
    }

    private func difference(from other: [UInt8]) -> (largest: Int, mean: Double) {
        var largest = 0
        var sum = 0
        pixels.withUnsafeBufferPointer { pixels in
            other.withUnsafeBufferPointer { other in
                for index in 0..<min(pixels.count, other.count) / 4 where pixels[index * 4 + 3] | other[index * 4 + 3] != 0 {
                    for channel in index * 4..<index * 4 + 4 {
                        let difference = abs(Int(pixels[channel]) - Int(other[channel]))
                        largest = max(largest, difference)
                        sum += difference
                    }
                }
            }
        }
        return (largest, Double(sum) / Double(max(pixels.count, 1)))
    }
}

extension Orientation {
    /// Four bytes a pixel; `size` is the stored one.
    fileprivate func upright(_ pixels: [UInt8], _ size: PixelSize) -> [UInt8] {
        let shown = displayed(size)
        let isMirrored = [.upMirrored, .downMirrored, .leftMirrored, .rightMirrored].contains(self)
        var result: [UInt8] = []
        result.reserveCapacity(pixels.count)
        for y in 0..<shown.height {
            for column in 0..<shown.width {
                // Mirrored ones are the turned ones seen from behind.
                let x = isMirrored ? shown.width - 1 - column : column
                let (storedX, storedY): (Int, Int) =
                    switch self {
                    case .up, .upMirrored: (x, y)
                    case .down, .downMirrored: (size.width - 1 - x, size.height - 1 - y)
                    case .right, .leftMirrored: (y, size.height - 1 - x)
                    case .left, .rightMirrored: (size.width - 1 - y, x)
                    }
                let start = (storedY * size.width + storedX) * 4
                result += pixels[start..<start + 4]
            }
        }
        return result
    }
}
