/// A DNG file of a scene that a test draws: sRGB without its curve, 0 to 1, as an uncompressed sensor of 16 bits sees it.
package struct DNGWriter {
    package typealias Scene = @Sendable (_ x: Int, _ y: Int) -> (red: Double, green: Double, blue: Double)

    package var width = 64
    package var height = 48
    /// EXIF's number; nil: no such tag.
    package var orientation: Int? = 1
    package var isBigEndian = false
    /// All three colours of each pixel, in place of one.
    package var isLinear = false
    /// Samples of the camera for white.
    package var neutral = (red: 1.0, green: 1.0, blue: 1.0)
    package var black = 0
    package var white = 65_535
    package var baselineExposure: Double?
    package var make = "Gannet"
    package var hasVersion = true
    /// A JPEG in the first directory; the sensor is in one below it.
    package var preview: [UInt8]?
    package var scene: Scene

    package init(scene: @escaping Scene) { self.scene = scene }

    /// A quarter for each of four colours.
    package static let quarters: Scene = { x, y in
        switch (x < 32, y < 24) {
        case (true, true): (0.6, 0.1, 0.1)
        case (false, true): (0.1, 0.5, 0.1)
        case (true, false): (0.1, 0.2, 0.7)
        case (false, false): (0.4, 0.4, 0.4)
        }
    }

    private struct Field {
        var tag: Int
        var type: Int
        var count: Int
        var value: [UInt8]
    }

    // MARK: Parts

    /// The sensor's samples: red, green, green and blue of each square.
    private var samples: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * (isLinear ? 6 : 2))
        for y in 0..<height {
            for x in 0..<width {
                let color = scene(x, y)
                let seen = [color.red * neutral.red, color.green * neutral.green, color.blue * neutral.blue]
                for channel in isLinear ? [0, 1, 2] : [x % 2 + y % 2] {
                    bytes += word(black + Int((seen[channel] * Double(white - black)).rounded()))
                }
            }
        }
        return bytes
    }

    private func sensor(at offset: Int) -> [Field] {
        var fields = [
            longs(254, [0]), longs(256, [width]), longs(257, [height]), shorts(258, isLinear ? [16, 16, 16] : [16]),
            shorts(259, [1]), shorts(262, [isLinear ? 34_892 : 32_803]), longs(273, [offset]), shorts(277, [isLinear ? 3 : 1]),
            longs(278, [height]), longs(279, [width * height * (isLinear ? 6 : 2)]), longs(50_714, [black]),
            longs(50_717, [white]),
        ]
        if !isLinear {
            fields.append(shorts(33_421, [2, 2]))
            fields.append(Field(tag: 33_422, type: 1, count: 4, value: [0, 1, 1, 2]))
        }
        return fields
    }

    private var photograph: [Field] {
        [ratios(33_434, [0.004]), ratios(33_437, [2.8]), shorts(34_855, [400]), text(42_036, "50 mm")]
    }

    private func camera(photographAt offset: Int) -> [Field] {
        // Of XYZ to the sensor's colours: those of sRGB.
        let matrix = [
            3.2404542, -1.5371385, -0.4985314, -0.9692660, 1.8760108, 0.0415560, 0.0556434, -0.2040259, 1.0572252,
        ]
        var fields = [
            text(271, make), text(272, "One"), text(306, "2026:11:27 14:30:05"), longs(34_665, [offset]),
            text(50_708, "Gannet One"),
            ratios(50_721, matrix, isSigned: true), ratios(50_728, [neutral.red, neutral.green, neutral.blue]),
            shorts(50_778, [21]),
        ]
        if let orientation { fields.append(shorts(274, [orientation])) }
        if hasVersion {
            fields.append(Field(tag: 50_706, type: 1, count: 4, value: [1, 4, 0, 0]))
            fields.append(Field(tag: 50_707, type: 1, count: 4, value: [1, 1, 0, 0]))
        }
        if let baselineExposure { fields.append(ratios(50_730, [baselineExposure], isSigned: true)) }
        return fields
    }

    // MARK: File

    /// Header, directories, the preview, and the samples at the end.
    package var file: [UInt8] {
        // Lengths do not depend on offsets.
        let photographLength = directory(photograph, at: 0).count
        let sensorLength = preview == nil ? 0 : directory(sensor(at: 0), at: 0).count
        let mainLength = directory(main(sensorAt: 0, photographAt: 0, previewAt: 0, dataAt: 0), at: 0).count
        let photographStart = 8 + mainLength
        let sensorStart = photographStart + photographLength
        let previewStart = sensorStart + sensorLength
        let dataStart = previewStart + (preview.map { $0.count + $0.count % 2 } ?? 0)
        var bytes: [UInt8] = (isBigEndian ? [0x4D, 0x4D] : [0x49, 0x49]) + word(42) + long(8)
        bytes += directory(
            main(sensorAt: sensorStart, photographAt: photographStart, previewAt: previewStart, dataAt: dataStart), at: 8)
        bytes += directory(photograph, at: photographStart)
        if let preview {
            bytes += directory(sensor(at: dataStart), at: sensorStart)
            bytes += preview + (preview.count.isMultiple(of: 2) ? [] : [0])
        }
        return bytes + samples
    }

    private func main(sensorAt sensorStart: Int, photographAt: Int, previewAt: Int, dataAt: Int) -> [Field] {
        guard let preview else { return camera(photographAt: photographAt) + sensor(at: dataAt) }
        return camera(photographAt: photographAt) + [
            longs(254, [1]), longs(256, [16]), longs(257, [12]), shorts(258, [8, 8, 8]), shorts(259, [7]), shorts(262, [6]),
            longs(273, [previewAt]), shorts(277, [3]), longs(278, [12]), longs(279, [preview.count]), longs(330, [sensorStart]),
        ]
    }

    private func directory(_ fields: [Field], at start: Int) -> [UInt8] {
        var (entries, values) = (word(fields.count), [UInt8]())
        let valuesStart = start + 6 + 12 * fields.count
        for field in fields.sorted(by: { $0.tag < $1.tag }) {
            entries += word(field.tag) + word(field.type) + long(field.count)
            if field.value.count > 4 {
                entries += long(valuesStart + values.count)
                values += field.value + (field.value.count.isMultiple(of: 2) ? [] : [0])
            } else {
                entries += field.value + [UInt8](repeating: 0, count: 4 - field.value.count)
            }
        }
        return entries + long(0) + values
    }

    // MARK: Fields

    private func text(_ tag: Int, _ text: String) -> Field {
        Field(tag: tag, type: 2, count: text.utf8.count + 1, value: Array(text.utf8) + [0])
    }

    private func shorts(_ tag: Int, _ values: [Int]) -> Field {
        Field(tag: tag, type: 3, count: values.count, value: values.flatMap(word))
    }

    private func longs(_ tag: Int, _ values: [Int]) -> Field {
        Field(tag: tag, type: 4, count: values.count, value: values.flatMap(long))
    }

    private func ratios(_ tag: Int, _ values: [Double], isSigned: Bool = false) -> Field {
        Field(
            tag: tag, type: isSigned ? 10 : 5, count: values.count,
            value: values.flatMap { long(Int(($0 * 1_000_000).rounded())) + long(1_000_000) })
    }

    private func word(_ value: Int) -> [UInt8] {
        let bytes = [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
        return isBigEndian ? bytes : bytes.reversed()
    }

    private func long(_ value: Int) -> [UInt8] {
        isBigEndian ? word(value >> 16) + word(value) : word(value) + word(value >> 16)
    }
}
