/// A Lottie animation that a test draws, in its three packings.
package struct LottieWriter {
    package var width = "64"
    package var height = "48"
    package var frameRate = "25"
    package var first = "0"
    package var end = "10"
    /// Each one JSON.
    package var layers: [String]
    package var assets: [String] = []
    package var putsLayersFirst = false

    package init(_ layers: [String] = [square(x: 8, y: 8, side: 16, color: (1, 0, 0))]) { self.layers = layers }

    package var text: String {
        let layers = "\"layers\":[\(layers.joined(separator: ","))]"
        let assets = "\"assets\":[\(assets.joined(separator: ","))]"
        let rest =
            "\"v\":\"5.7.4\",\"fr\":\(frameRate),\"ip\":\(first),\"op\":\(end),\"w\":\(width),\"h\":\(height),\"nm\":\"drawn\",\"ddd\":0"
        return putsLayersFirst ? "{\(layers),\(assets),\(rest)}" : "{\(rest),\(assets),\(layers)}"
    }

    package var file: [UInt8] { Array(text.utf8) }

    // MARK: Layers

    /// A square of one colour; with `moves` it goes so many pixels to the right with each frame.
    package static func square(
        x: Int, y: Int, side: Int, color: (Double, Double, Double), opacity: Int = 100, moves: Int = 0,
        times: (Int, Int) = (0, 1000),
        more: String = ""
    ) -> String {
        let half = Double(side) / 2
        let place =
            moves == 0
            ? "{\"a\":0,\"k\":[0,0,0]}"
            : """
            {"a":1,"k":[{"t":0,"s":[0,0,0],"e":[\(moves * 100),0,0],"i":{"x":1,"y":1},"o":{"x":0,"y":0}},{"t":100}]}
            """
        let fill = "{\"ty\":\"fl\",\"c\":{\"k\":[\(color.0),\(color.1),\(color.2),1]},\"o\":{\"k\":\(opacity)},\"r\":1}"
        let shape =
            "{\"ty\":\"rc\",\"p\":{\"k\":[\(Double(x) + half),\(Double(y) + half)]},\"s\":{\"k\":[\(side),\(side)]},\"r\":{\"k\":0}}"
        return """
            {"ddd":0,"ty":4,"nm":"square","ip":\(times.0),"op":\(times.1),"st":0,"bm":0\(more),\
            "ks":{"o":{"k":100},"r":{"k":0},"p":\(place),"a":{"k":[0,0,0]},"s":{"k":[100,100,100]}},\
            "shapes":[{"ty":"gr","it":[\(shape),\(fill),{"ty":"tr","p":{"k":[0,0]},"a":{"k":[0,0]},"s":{"k":[100,100]},"r":{"k":0},"o":{"k":100}}]}]}
            """
    }

    /// A layer that shows an asset.
    package static func reference(_ name: String, isImage: Bool = false) -> String {
        """
        {"ddd":0,"ty":\(isImage ? 2 : 0),"refId":"\(name)","ip":0,"op":1000,"st":0,"w":64,"h":48,"ks":{"p":{"k":[0,0,0]}}}
        """
    }

    // MARK: Packings

    /// RFC 1952, not compressed unless `run` bytes of white space follow.
    package static func gzip(_ bytes: [UInt8], thenSpaces run: Int = 0, name: String? = nil) -> [UInt8] {
        var result: [UInt8] = [0x1F, 0x8B, 8, name == nil ? 0 : 8, 0, 0, 0, 0, 0, 3]
        if let name { result += Array(name.utf8) + [0] }
        result += deflate(bytes, thenSpaces: run)
        let whole = run == 0 ? bytes : bytes + [UInt8](repeating: 0x20, count: run)
        return result + little(checksum(whole), 4) + little(whole.count, 4)
    }

    /// An archive of these files in this order.
    package static func archive(_ files: [(name: String, bytes: [UInt8])], isPacked: Bool = false) -> [UInt8] {
        var (result, directory): ([UInt8], [UInt8]) = ([], [])
        for (name, bytes) in files {
            let content = isPacked ? deflate(bytes) : bytes
            let shared =
                little(20, 2) + little(0, 2) + little(isPacked ? 8 : 0, 2) + little(0, 4)
                + Array(little(checksum(bytes), 4) + little(content.count, 4))
            let sizes = little(bytes.count, 4) + little(name.utf8.count, 2) + little(0, 2)
            directory += [0x50, 0x4B, 1, 2] + little(20, 2) + shared + sizes
            directory += little(0, 10) + Array(little(result.count, 4) + Array(name.utf8))
            result += [0x50, 0x4B, 3, 4] + shared + sizes
            result += Array(name.utf8) + content
        }
        let end = little(files.count, 2) + little(files.count, 2) + little(directory.count, 4) + little(result.count, 4)
        return result + directory + Array([0x50, 0x4B, 5, 6] + little(0, 4) + end + little(0, 2))
    }

    /// Of the first version of dotLottie.
    package static func dotLottie(_ text: [UInt8], manifest: String = "", isPacked: Bool = false) -> [UInt8] {
        let words = manifest.isEmpty ? "{\"version\":\"1.0\",\"animations\":[{\"id\":\"drawn\"}]}" : manifest
        return archive([("manifest.json", Array(words.utf8)), ("animations/drawn.json", text)], isPacked: isPacked)
    }

    // MARK: Parts

    /// RFC 1951: stored blocks, and one in which every code but the first says "258 times the last byte".
    private static func deflate(_ bytes: [UInt8], thenSpaces run: Int = 0) -> [UInt8] {
        var result: [UInt8] = []
        for start in stride(from: 0, to: max(bytes.count, 1), by: 65_535) {
            let piece = bytes[start..<min(start + 65_535, bytes.count)]
            let isLast = start + 65_535 >= bytes.count && run == 0
            result += [isLast ? 1 : 0] + little(piece.count, 2) + little(65_535 - piece.count, 2)
            result += piece
        }
        return run == 0 ? result : result + spaces(run)
    }

    private static func spaces(_ count: Int) -> [UInt8] {
        var bits = BitWriter()
        // The last block, with fixed codes.
        bits.write(0b011, 3)
        bits.writeCode(0x30 + 0x20, 8)
        for _ in 0..<(count - 1) / 258 {
            // Length 258, distance 1.
            bits.writeCode(0b1100_0101, 8)
            bits.writeCode(0, 5)
        }
        for _ in 0..<(count - 1) % 258 { bits.writeCode(0x30 + 0x20, 8) }
        bits.writeCode(0, 7)
        return bits.bytes
    }

    private struct BitWriter {
        private(set) var bytes: [UInt8] = []
        private var used = 8

        mutating func write(_ value: Int, _ count: Int) {
            for bit in 0..<count { put(value >> bit & 1) }
        }

        /// Codes begin with their highest bit.
        mutating func writeCode(_ value: Int, _ count: Int) {
            for bit in (0..<count).reversed() { put(value >> bit & 1) }
        }

        private mutating func put(_ bit: Int) {
            if used == 8 {
                bytes.append(0)
                used = 0
            }
            bytes[bytes.count - 1] |= UInt8(bit << used)
            used += 1
        }
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 < 8 ? value >> (8 * $0) : 0) }
    }

    private static func checksum(_ bytes: [UInt8]) -> Int {
        var value: UInt32 = .max
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return Int(~value)
    }
}
