#if Video
    import GannetCore
    import Testing

    @testable import GannetCodecs

    /// Films of more samples than bytes: ffmpeg makes an entry for each. // U-05
    @Suite struct VideoIndexTests {
        private static func number(_ value: Int, _ count: Int = 4) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }

        private static func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
            let all = content.flatMap { $0 }
            return number(all.count + 8) + Array(type.utf8) + all
        }

        private static func full(_ type: String, _ numbers: Int...) -> [UInt8] {
            box(type, number(0) + numbers.flatMap { number($0) })
        }

        /// One track whose samples all have this size.
        private struct Track {
            var kind = "vide"
            var size = 1
            var count = 1
            var time = 1
            var chunks = 1
            var runs: [[Int]] = [[1, 1, 1]]

            var bytes: [UInt8] {
                let handler = VideoIndexTests.box("hdlr", number(0, 8) + Array(kind.utf8) + number(0, 13))
                let table = VideoIndexTests.box(
                    "stbl", full("stsd", 0), full("stts", 1, count, time), full("stsz", size, count), full("stco", chunks, 0),
                    VideoIndexTests.box("stsc", number(0) + number(runs.count) + runs.flatMap { $0.flatMap { number($0) } }))
                return VideoIndexTests.box(
                    "trak", VideoIndexTests.box("mdia", handler, VideoIndexTests.box("minf", table)))
            }
        }

        private static let start = box("ftyp", Array("isom".utf8), number(0), Array("isom".utf8))

        private func film(_ tracks: [Track], data: Int = 0) -> [UInt8] {
            Self.start + Self.box("moov", tracks.flatMap(\.bytes)) + Self.box("mdat", [UInt8](repeating: 0, count: data))
        }

        private func code(_ bytes: [UInt8]) -> ImageError.Code? {
            do throws(ImageError) {
                try VideoIndex.check(bytes)
                return nil
            } catch { return error.code }
        }

        @Test func `Samples without bytes are refused before ffmpeg sees them`() {
            let bomb = film([Track(count: 80_000_000)])
            #expect(code(bomb) == .corrupt)
            let error = #expect(throws: ImageError.self) { try VideoCoder.info(of: bomb) }
            #expect(error?.message.contains("more samples") == true)
            #expect(code(film([Track(count: 1 << 20)])) == nil)
            #expect(code(film([Track(count: 1 << 20), Track(count: 1 << 10)])) == .corrupt)
            // Samples that have bytes are accepted.
            #expect(code(film([Track(count: (1 << 20) + 1000)], data: 40_000)) == nil)
        }

        @Test func `Wherever the table stands`() {
            let table = Self.full("stsz", 1, 80_000_000)
            for place in [
                Self.box("moov", Self.box("udta", table)), Self.box("free", table),
                Self.box("moov", Self.box("stz2", [0])) + table,
            ] { #expect(code(Self.start + place) == .corrupt) }
            #expect(code(Self.start + Self.box("moof", Self.box("traf", Self.full("trun", 80_000_000)))) == .corrupt)
            #expect(code(Self.start + Self.box("moov", Self.full("stz2", 4, 80_000_000))) == .corrupt)
            #expect(code(Self.start + Self.box("moov", Self.box("cmov", [0]))) == .unsupported)
            // Not among the samples.
            #expect(code(Self.start + Self.box("mdat", table)) == nil)
            // A box that says more than there is, and a table that is cut.
            #expect(code(Self.start + Self.number(1000) + Array("moov".utf8) + table) == .corrupt)
            for count in 0..<table.count { _ = code(Self.start + Self.number(0) + Array("moov".utf8) + table[..<count]) }
        }

        @Test func `What is written about a film may say anything`() {
            let words = Array("An elephant's trunk, cmov, stsz and sidx ".utf8)
            let (handler, zero) = (Self.box("hdlr", Self.number(0, 25)), Self.number(0))
            let items = Self.box("ilst", Self.box("desc", Self.box("data", words)), Self.box("----", Self.box("name", words)))
            for place in [
                Self.box("moov", Self.box("udta", Self.box("meta", zero, handler, items))), Self.box("uuid", words),
                Self.box("moov", Self.box("udta", Self.box("XMP_", words))),
            ] { #expect(code(Self.start + place) == nil) }
            // Where ffmpeg may read it differently, it counts.
            #expect(code(Self.start + Self.box("moov", Self.box("udta", Self.box("meta", handler, items)))) != nil)
            #expect(code(Self.start + Self.box("moov", Self.box("udta", Self.box("name", words)))) != nil)
        }

        @Test func `Tables of fragments name boxes that are looked at`() {
            let fragment = Self.box("moof", Self.box("traf", Self.full("trun", 20)))
            func table(first: Int) -> [UInt8] { Self.full("sidx", 1, 1000, 0, first, 1, fragment.count, 1, 0) }
            #expect(code(Self.start + table(first: 0) + fragment) == nil)
            let hidden = Self.box("moof", Self.box("traf", Self.full("trun", 80_000_000)))
            #expect(code(Self.start + table(first: 8) + Self.box("mdat", hidden)) == .corrupt)
            #expect(code(Self.start + Self.box("moov", table(first: 8)) + Self.box("mdat", hidden)) == .corrupt)
            func end(_ target: Int) -> [UInt8] {
                let index = Self.full("tfra", 1, 0, 1, 0, target) + [1, 1, 1]
                return Self.box("mfra", index, Self.full("mfro", 8 + index.count + 16))
            }
            #expect(code(Self.start + fragment + end(Self.start.count)) == nil)
            #expect(code(Self.start + Self.box("mdat", hidden) + end(Self.start.count + 8)) == .corrupt)
        }

        @Test func `Sound that is not packed may have as many samples as bytes`() {
            let sound = Track(kind: "soun", size: 4, count: 5_000_000, chunks: 5000, runs: [[1, 1000, 1]])
            #expect(code(film([sound], data: 20_000_000)) == nil)
            #expect(code(film([sound], data: 10_000_000)) == .corrupt)
            var other = sound
            other.kind = "vide"
            #expect(code(film([other], data: 20_000_000)) == .corrupt)
            other = sound
            other.time = 2
            #expect(code(film([other], data: 20_000_000)) == .corrupt)
            // ffmpeg goes by the chunks here.
            other = sound
            other.runs = [[1, 1000, 1], [4999, 1 << 30, 1]]
            #expect(code(film([other], data: 20_000_000)) == .corrupt)
            other.runs = [[1, 1000, 1], [1, 1 << 30, 1]]
            #expect(code(film([other], data: 20_000_000)) == .corrupt)
            // QuickTime says twice whose it is.
            let handler = Self.box("hdlr", Self.number(0, 8) + Array("alis".utf8) + Self.number(0, 13))
            var bytes = sound.bytes
            let media = bytes.firstRange(of: Array("minf".utf8))
            if let media {
                for name in ["trak", "mdia", "minf"] {
                    guard let place = bytes.firstRange(of: Array(name.utf8))?.lowerBound else { continue }
                    let length = bytes[place - 4..<place].reduce(0) { $0 << 8 | Int($1) } + handler.count
                    bytes.replaceSubrange(place - 4..<place, with: Self.number(length))
                }
                bytes.insert(contentsOf: handler, at: media.upperBound)
            }
            #expect(
                code(Self.start + Self.box("moov", bytes) + Self.box("mdat", [UInt8](repeating: 0, count: 20_000_000))) == nil)
            // The same table twice: it is ambiguous which one counts.
            let twice = Self.start + Self.box("moov", Self.box("trak", sound.bytes.dropFirst(8) + Self.full("stsz", 1, 9)))
            #expect(code(twice + [UInt8](repeating: 0, count: 20_000_000)) == .corrupt)
        }
    }
#endif
