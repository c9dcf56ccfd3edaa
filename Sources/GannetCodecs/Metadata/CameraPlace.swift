/// Where a photograph was taken, by the camera's satellite receiver (Exif 2.32, §4.6.6). Apart from ``CameraFacts``, so that nobody
/// passes it on who only wanted those.
package struct CameraPlace: Equatable, Sendable {
    /// Degrees, −90 … 90; positive is north.
    package var latitude: Double
    /// Degrees, −180 … 180; positive is east.
    package var longitude: Double
    /// Metres above the sea; nil: not said.
    package var altitude: Double?

    /// Reads EXIF from the TIFF header on. Nil: it says no place, or one that is not on the earth.
    package init?(exif: [UInt8]) {
        guard let reader = TIFFDirectoryReader(exif),
            let pointer = reader.entries(at: reader.firstDirectory).first(where: { $0.tag == 0x8825 }),
            let directory = reader.integer(of: pointer)
        else { return nil }
        let entries = reader.entries(at: directory)
        func degrees(_ tag: Int, _ most: Double, negativeIf letter: Character) -> Double? {
            guard let parts = entries.first(where: { $0.tag == tag }).flatMap({ reader.ratios(of: $0, count: 3) }),
                let letters = entries.first(where: { $0.tag == tag - 1 }), letters.type == 2
            else { return nil }
            let value = parts[0] + parts[1] / 60 + parts[2] / 3600
            guard value <= most else { return nil }
            return Character(UnicodeScalar(reader.bytes[letters.position + 8])) == letter ? -value : value
        }
        guard let latitude = degrees(0x0002, 90, negativeIf: "S"), let longitude = degrees(0x0004, 180, negativeIf: "W") else {
            return nil
        }
        (self.latitude, self.longitude) = (latitude, longitude)
        let isBelow = entries.first { $0.tag == 0x0005 }.flatMap(reader.integer) == 1
        altitude = entries.first { $0.tag == 0x0006 }.flatMap { reader.ratios(of: $0, count: 1) }.map { isBelow ? -$0[0] : $0[0] }
    }
}

extension TIFFDirectoryReader {
    /// RATIONALs of an entry; nil if there are fewer, or one divides by zero.
    fileprivate func ratios(of entry: Entry, count: Int) -> [Double]? {
        guard entry.type == 5, entry.count >= count, let start = externalValue(of: entry)?.lowerBound else { return nil }
        var result: [Double] = []
        for index in 0..<count {
            guard let above = long(at: start + index * 8), let below = long(at: start + index * 8 + 4), below > 0 else {
                return nil
            }
            result.append(Double(above) / Double(below))
        }
        return result
    }
}
