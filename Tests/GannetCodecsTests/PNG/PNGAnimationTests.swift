#if PNG
    import GannetCore
    import Testing

    @testable import GannetCodecs

    @Suite("Animated PNG") struct PNGAnimationTests {
        /// A frame of one colour.
        struct Frame {
            var area: PixelRect
            var color: [UInt8]
            var delay: (UInt8, UInt8) = (1, 10)
            var disposal = 0
            var blending = 0
        }

        static let canvas = PixelSize(clamping: 4, 3)
        static let whole = PixelRect(x: 0, y: 0, width: 4, height: 3)

        static func pack(_ frame: Frame, channels: Int = 4) -> [UInt8] {
            PNGSample.zlib(
                (0..<frame.area.height).flatMap { _ in
                    [0] + (0..<frame.area.width).flatMap { _ in frame.color.prefix(channels) }
                })
        }

        static func file(
            _ frames: [Frame], plays: Int = 0, promised: Int? = nil, still: [UInt8]? = nil, hasAlpha: Bool = true,
            change: (inout [[UInt8]]) -> Void = { _ in }
        ) -> [UInt8] {
            let channels = hasAlpha ? 4 : 3
            // Bodies of fcTL and fdAT in their order, so that tests can damage them.
            var bodies: [[UInt8]] = []
            var sequence = 0
            for (index, frame) in frames.enumerated() {
                let numbers = [sequence, frame.area.width, frame.area.height, frame.area.x, frame.area.y]
                bodies.append(
                    numbers.flatMap { PNGWriter.bytes($0) }
                        + [0, frame.delay.0, 0, frame.delay.1, UInt8(frame.disposal), UInt8(frame.blending)])
                sequence += 1
                if index > 0 || still != nil {
                    bodies.append(PNGWriter.bytes(sequence) + pack(frame, channels: channels))
                    sequence += 1
                } else {
                    bodies.append(pack(frame, channels: channels))
                }
            }
            change(&bodies)
            var writer = PNGWriter()
            writer.chunk("IHDR", PNGWriter.bytes(4) + PNGWriter.bytes(3) + [8, hasAlpha ? 6 : 2, 0, 0, 0])
            writer.chunk("acTL", PNGWriter.bytes(promised ?? frames.count) + PNGWriter.bytes(plays))
            if let still { writer.chunk("IDAT", pack(Frame(area: whole, color: still), channels: channels)) }
            for (index, body) in bodies.enumerated() {
                writer.chunk(index % 2 == 0 ? "fcTL" : index == 1 && still == nil ? "IDAT" : "fdAT", body)
            }
            writer.chunk("IEND", [])
            return writer.bytes
        }

        /// The expected canvas after each frame, painted pixel by pixel with the arithmetic that all players share: products of
        /// 8-bit numbers, with division rounding down.
        static func painted(_ frames: [Frame]) -> [[UInt8]] {
            var canvas = [[Int]](repeating: [0, 0, 0, 0], count: 12)
            return frames.map { frame in
                let before = canvas
                func each(_ body: (Int) -> Void) {
                    for y in frame.area.y..<frame.area.y + frame.area.height {
                        for x in frame.area.x..<frame.area.x + frame.area.width { body(y * 4 + x) }
                    }
                }
                let color = frame.color.map(Int.init)
                each { place in
                    let under = canvas[place]
                    let above = color[3] * 255
                    let below = (255 - color[3]) * under[3]
                    if frame.blending == 0 || color[3] == 255 {
                        canvas[place] = color
                    } else if color[3] > 0 {
                        canvas[place] = (0..<3).map { (color[$0] * above + under[$0] * below) / (above + below) }
                        canvas[place].append((above + below) / 255)
                    }
                }
                let shown = canvas.flatMap { $0.map { UInt8($0) } }
                switch frame.disposal {
                case 1: each { canvas[$0] = [0, 0, 0, 0] }
                case 2: canvas = before
                default: break
                }
                return shown
            }
        }

        static let part = PixelRect(x: 1, y: 1, width: 2, height: 1)
        static let sequences: [[Frame]] = {
            var result: [[Frame]] = []
            for disposal in 0..<3 {
                for blending in 0..<2 {
                    result.append([
                        Frame(area: whole, color: [200, 10, 20, 255], disposal: disposal == 2 ? 0 : disposal),
                        Frame(area: part, color: [0, 255, 0, 128], disposal: disposal, blending: blending),
                        Frame(area: PixelRect(x: 2, y: 0, width: 2, height: 3), color: [1, 2, 200, 60], blending: blending),
                        Frame(area: whole, color: [9, 9, 9, 0], disposal: disposal, blending: blending),
                        Frame(area: part, color: [77, 66, 55, 255], disposal: disposal, blending: blending),
                    ])
                }
            }
            return result
        }()

        @Test("Disposal and blending, in any order of asking")
        func composes() throws {  // FM-03
            for frames in Self.sequences {
                let expected = Self.painted(frames)
                for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 2, 0, 4, 1]] {
                    for budget in [ResourceBudget.unlimited, ResourceBudget(capacity: 1 << 30)] {
                        let decoder = try PNGDecoding.decoder(
                            Self.file(frames), PNGDecoding.options(), DecodeEnvironment(budget: budget))
                        #expect(decoder.header?.frameCount == 5)
                        for index in order {
                            let pixels = try PNGDecoding.frame(decoder, index).packedBytes()
                            #expect(pixels == expected[index], "frame \(index)")
                        }
                    }
                }
            }
        }

        /// It was held beside the budget, and may be as large as the canvas.
        @Test func whatLiesUnderAFrameIsReserved() throws {  // U-05
            func peak(_ disposal: Int) throws -> Int {
                let budget = ResourceBudget(capacity: 1 << 20)
                let frames = [
                    Frame(area: Self.whole, color: [1, 2, 3, 255]),
                    Frame(area: Self.whole, color: [0, 255, 0, 128], disposal: disposal, blending: 1),
                    Frame(area: Self.part, color: [0, 255, 0, 128]),
                ]
                do {
                    let decoder = try PNGDecoding.decoder(
                        Self.file(frames), PNGDecoding.options(), DecodeEnvironment(budget: budget))
                    _ = try PNGDecoding.frame(decoder, 1)
                }
                #expect(budget.usedBytes == 0)
                return budget.peakBytes
            }
            #expect(try peak(2) == peak(0) + 4 * Self.whole.width * Self.whole.height)
        }

        // CD-36, CD-37
        @Test func delaysAndLoops() throws {
            let frames = [
                Frame(area: Self.whole, color: [1, 2, 3, 255], delay: (1, 10)),
                Frame(area: Self.part, color: [1, 2, 3, 255], delay: (3, 0)),
                Frame(area: Self.part, color: [1, 2, 3, 255], delay: (0, 7)),
            ]
            let header = try #require(try PNGDecoding.decoder(Self.file(frames, plays: 7)).header)
            #expect(header.animation?.loopCount == 7)
            #expect(header.animation?.delays == [.milliseconds(100), .milliseconds(30), .zero])
        }

        @Test func aPictureBesideTheAnimationIsShownOnlyRaw() throws {
            let frames = [Frame(area: Self.part, color: [5, 6, 7, 255]), Frame(area: Self.whole, color: [8, 9, 10, 255])]
            let file = Self.file(frames, still: [255, 0, 0, 255])
            let decoder = try PNGDecoding.decoder(file)
            #expect(decoder.header?.frameCount == 2)
            #expect(try PNGDecoding.frame(decoder).packedBytes() == Self.painted(frames)[0])
            let raw = try PNGDecoding.decoder(file, PNGDecoding.options { $0.color = .raw })
            #expect(raw.header?.frameCount == 3)
            #expect(try PNGDecoding.frame(raw).packedBytes().prefix(4) == [255, 0, 0, 255])
            #expect(try PNGDecoding.frame(raw, 1).packedBytes() == Self.painted(frames)[0])
        }

        @Test("Broken animations show the picture in IDAT")
        func broken() throws {
            let frames = [
                Frame(area: Self.whole, color: [1, 2, 3, 255]), Frame(area: Self.part, color: [4, 5, 6, 255]),
                Frame(area: Self.part, color: [7, 8, 9, 255]),
            ]
            let damages: [(inout [[UInt8]]) -> Void] = [
                { $0[2][3] = 9 },  // number of fcTL
                { $0[3][3] = 1 },  // number of fdAT
                { $0[2][7] = 5 },  // wider than the canvas
                { $0[2][24] = 3 },  // unknown disposal
                { $0[2][25] = 2 },  // unknown blending
                { $0[2].removeLast() },
                { $0[3] = [0, 0] },
                { $0[0][7] = 3 },  // the first frame is smaller than the canvas
            ]
            for (index, damage) in damages.enumerated() {
                let decoder = try PNGDecoding.decoder(Self.file(frames, change: damage))
                #expect(decoder.header?.frameCount == 1, "damage \(index)")
                #expect(decoder.header?.animation == nil)
                #expect(try PNGDecoding.frame(decoder).packedBytes() == Self.painted(frames)[0])
            }
        }

        @Test func moreOrFewerFramesThanPromised() throws {
            let frames = (0..<3).map { Frame(area: Self.whole, color: [UInt8($0), 0, 0, 255]) }
            #expect(try PNGDecoding.decoder(Self.file(frames, promised: 2)).header?.frameCount == 2)
            #expect(try PNGDecoding.decoder(Self.file(frames, promised: 9)).header?.frameCount == 3)
            #expect(try PNGDecoding.decoder(Self.file(frames, promised: 0)).header?.animation == nil)
        }

        @Test func framesHaveALimit() throws {
            let frames = (0..<3).map { Frame(area: Self.whole, color: [UInt8($0), 0, 0, 255]) }
            var limits = DecodeLimits.standard
            for (limit, code) in [(3, nil), (2, ImageError.Code.limitExceeded)] {
                limits.maximumFrames = limit
                #expect(
                    PNGDecoding.code {
                        _ = try PNGDecoding.decoder(
                            Self.file(frames), PNGDecoding.options(), DecodeEnvironment(limits: limits))
                    } == code)
            }
        }

        @Test func damagedFramesFailAlone() throws {
            let frames = (0..<3).map { Frame(area: Self.whole, color: [UInt8($0), 0, 0, 255]) }
            let file = Self.file(frames) { $0[3][4 + 9] ^= 0x55 }
            let decoder = try PNGDecoding.decoder(file)
            #expect(decoder.header?.frameCount == 3)
            #expect(try PNGDecoding.frame(decoder).packedBytes() == Self.painted(frames)[0])
            #expect(PNGDecoding.code { _ = try PNGDecoding.frame(decoder, 1) } == .corrupt)
        }

        // AN-21
        @Test func framesPlayWhileTheRestArrives() throws {
            let frames = (0..<3).map { Frame(area: Self.whole, color: [UInt8($0 + 1), 0, 0, 255]) }
            let file = Self.file(frames)
            let decoder = PNGDecoder(options: PNGDecoding.options(), environment: DecodeEnvironment())
            var available = 0
            for count in 1...file.count {
                let status = try decoder.read(from: ByteRope(Array(file.prefix(count)), isComplete: count == file.count))
                if status == .frameAvailable, available == 0 {
                    available = count
                    #expect(decoder.header?.frameCount == nil)
                    #expect(try PNGDecoding.frame(decoder).packedBytes() == Self.painted(frames)[0])
                }
            }
            #expect(available > 0 && available < file.count / 2)
            #expect(decoder.header?.frameCount == 3)
            #expect(try PNGDecoding.frame(decoder, 2).packedBytes() == Self.painted(frames)[2])
        }
    }
#endif
