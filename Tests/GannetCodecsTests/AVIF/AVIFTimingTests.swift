#if AVIF
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// The table of times of a sequence (ISO/IEC 14496-12, 8.6.1.2), in other forms than libavif writes it.
    @Suite("Times of AVIF sequences") struct AVIFTimingTests {
        private typealias Writer = PictureFileWriter

        private static func full(_ type: String, _ numbers: [Int]) -> [UInt8] {
            Writer.box(type, [0, 0, 0, 0] + numbers.flatMap { Writer.number($0, 4) })
        }

        /// A sequence whose tracks have this table of times, and `frames` frames of one byte at the end of the file.
        private func sequence(_ times: [(count: Int, time: Int)], frames: Int) throws -> [UInt8] {
            let sample = AVIFSample(width: 8, height: 8) { x, y in [UInt8(x * 20), UInt8(y * 20), 9, 255] }
            let plain = try sample.sequence(durations: [1, 2])
            let boxes = ISOBoxes(bytes: plain)
            func rebuilt(_ range: Range<Int>, dataAt place: Int) -> [UInt8] {
                boxes.boxes(in: range).flatMap { box -> [UInt8] in
                    switch box.type {
                    case "moov", "trak", "mdia", "minf", "stbl": Writer.box(box.type, rebuilt(box.content, dataAt: place))
                    case "stts": Self.full("stts", [times.count] + times.flatMap { [$0.count, $0.time] })
                    case "stsz": Self.full("stsz", [1, frames])
                    case "stsc": Self.full("stsc", [1, 1, frames, 1])
                    case "stco": Self.full("stco", [1, place])
                    default: Array(plain[box.start..<box.content.upperBound])
                    }
                }
            }
            let length = rebuilt(0..<plain.count, dataAt: 0).count
            return rebuilt(0..<plain.count, dataAt: length + 8) + Writer.box("mdat", [UInt8](repeating: 0, count: frames))
        }

        private func delays(_ times: [(count: Int, time: Int)], frames: Int) throws -> [Int] {
            let decoder = try AVIFCoder().makeDecoder(
                for: .avif, options: ResolvedDecodeOptions(DecodeOptions()), environment: DecodeEnvironment())
            _ = try decoder.read(from: ByteRope(try sequence(times, frames: frames)))
            #expect(decoder.header?.frameCount == frames)
            return try #require(decoder.header?.animation).delays.map { Int($0 / .milliseconds(10)) }
        }

        @Test func entriesStandForSeveralFrames() throws {
            #expect(try delays([(2, 5), (1, 7), (3, 1)], frames: 6) == [5, 5, 7, 1, 1, 1])
        }

        /// libavif wrote none before 1.0; browsers show such files for ever.
        @Test func withoutAnEditListItGoesOnForEver() throws {  // FM-07
            let sample = AVIFSample(width: 8, height: 8) { x, y in [UInt8(x * 20), UInt8(y * 20), 9, 255] }
            let image = try ImageDecoding(coders: CodersManager([AVIFCoder()])).decode(
                ByteRope(try sample.sequence(durations: [1, 2])), options: ResolvedDecodeOptions())
            guard case .animated(let clip) = image else {
                Issue.record("the sequence stands still")
                return
            }
            #expect(clip.loopCount == 0)
        }

        @Test func aTableThatEndsEarlyGoesOn() throws {
            #expect(try delays([(1, 4), (1, 6)], frames: 5) == [4, 6, 6, 6, 6])
            #expect(try delays([(9, 4), (1, 6)], frames: 2) == [4, 4])
            #expect(try delays([(0, 4), (1, 6)], frames: 2) == [6, 6])
        }

        /// The library counts all frames and entries before a frame for each frame: that took two minutes.
        @Test func tenThousandTimesAreReadAtOnce() throws {  // U-02
            let times = (0..<10_000).map { (count: 1, time: $0 % 7 + 1) }
            #expect(try delays(times, frames: 10_000) == times.map(\.time))
        }
    }
#endif
