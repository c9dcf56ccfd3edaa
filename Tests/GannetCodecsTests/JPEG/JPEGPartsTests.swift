#if JPEG
    import GannetCore
    import Testing

    @testable import GannetCodecs

    @Suite("Several threads decode one JPEG") struct JPEGPartsTests {  // CD-31
        /// Grain and soft colours, or grey: more than 192 KB of codes and 4,096 MCUs, which more than one thread is worth.
        static func photograph(_ width: Int, _ height: Int, _ options: EncodeOptions, isGray: Bool = false) throws -> [UInt8] {
            var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: width, height), alpha: .opaque))
            var state: UInt32 = 7
            for y in 0..<height {
                var row = buffer.mutablePixels(y)
                for x in row.indices {
                    state = state &* 1_664_525 &+ 1_013_904_223
                    let grain = state >> 25
                    let soft = isGray ? 0 : UInt32(x * 120 / width) << 16 | UInt32(y * 100 / height)
                    row[x] = (0xFF00_0000 | (grain &* 0x10101 &+ soft)).littleEndian
                }
            }
            return try JPEGEncoder(options).encode(JPEGSamples.still(buffer.freeze()))
        }

        /// Chroma of half the size, and of the whole.
        private static let half = Result { try photograph(1043, 1029, EncodeOptions(quality: 85)) }
        private static let whole = Result { try photograph(669, 615, EncodeOptions(quality: 94)) }
        private static let gray = Result { try photograph(669, 615, EncodeOptions(quality: 94), isGray: true) }
        private static let progressive = Result {
            try photograph(1043, 1029, EncodeOptions(quality: 85, progressive: true))
        }

        enum Sampling: CaseIterable { case half, whole, gray }

        /// Coefficients whose codes have many ones, so that many bytes are 0xFF and a zero; or equal blocks.
        private static func coefficients(_ sampling: Sampling, restartInterval: Int = 0, isPlain: Bool = false) -> [UInt8] {
            let factors =
                switch sampling {
                case .half: [2, 1, 1]
                case .whole: [1, 1, 1]
                case .gray: [1]
                }
            var file = JPEGCoefficientFile(
                width: 520 * factors[0], height: 520 * factors[0],
                components: factors.map { .init(horizontal: $0, vertical: $0) }, restartInterval: restartInterval,
                codeLength: 12)
            let most = 36 / factors.reduce(0) { $0 + $1 * $1 }
            // 9 bits for the mean and for the end, 10 for each coefficient: 16 bytes a block.
            let first = Set(JPEGCoefficientFile.zigzag[1...11])
            let values = [1023, -3, 1023, 0, 511]
            file.fill { component, block, place in
                if isPlain { return first.contains(place) ? 1 : 0 }
                if place > most { return 0 }
                return place == 0 ? (component * 7919 + block * 31) % 240 - 120 : values[(block + place * (component + 1)) % 5]
            }
            return file.bytes()
        }

        private func isSame(_ file: [UInt8], eighths: Int, threads: [Int]) throws -> [Bool] {
            let alone = try #require(try JPEGShrinkerTests.shrunk(file, eighths, threads: 1).bitmap).packedBytes()
            return try threads.map { count in
                let several = try JPEGShrinkerTests.shrunk(file, eighths, threads: count)
                #expect(several.bitmap?.packedBytes() == alone, "\(count) threads")
                return several.follows
            }
        }

        @Test("The pixels are those of one thread, and others read what is below", arguments: [1, 2, 4])
        func pixels(eighths: Int) throws {  // CD-31
            for file in [Self.half, Self.whole, Self.gray] {
                #expect(try isSame(file.get(), eighths: eighths, threads: [2, 3, 8]) == [true, true, true])
            }
        }

        @Test("Scans of a progressive file are read by several threads", arguments: [2, 4])
        func progressive(eighths: Int) throws {
            let file = try Self.progressive.get()
            #expect(try isSame(file, eighths: eighths, threads: [2, 3, 8]) == [true, true, true])
            // Damage in any scan is damage.
            for step in 3..<9 {
                let cut = Array(file[..<(file.count * step / 10)] + [0xFF, 0xD9])
                #expect(try JPEGShrinkerTests.shrunk(cut, eighths, threads: 2).bitmap == nil)
            }
        }

        @Test(
            "Where restart markers stand, parts begin behind them",
            arguments: [(Sampling.gray, 1), (.half, 23), (.gray, 65), (.whole, 4000)])
        func restarts(sampling: Sampling, interval: Int) throws {
            let file = Self.coefficients(sampling, restartInterval: interval)
            #expect(try isSame(file, eighths: 2, threads: [2, 5]) == [true, true])
        }

        @Test("A marker that is missing, or stands elsewhere, is damage as before")
        func wrongMarkers() throws {
            let file = Self.coefficients(.gray, restartInterval: 65)
            let markers = file.indices.dropLast().filter { file[$0] == 0xFF && (0xD0...0xD7).contains(file[$0 + 1]) }
            #expect(markers.count == 64)
            for marker in [markers[3], markers[30], markers[60]] {
                var swapped = file
                swapped[marker + 1] ^= 1
                #expect(try JPEGShrinkerTests.shrunk(swapped, 2, threads: 2).bitmap == nil)
                let dropped = Array(file[..<marker] + file[(marker + 2)...])
                #expect(try JPEGShrinkerTests.shrunk(dropped, 2, threads: 3).bitmap == nil)
            }
        }

        @Test("Zeros behind bytes of ones do not mislead parts that begin there")
        func stuffing() throws {
            let file = Self.coefficients(.whole)
            #expect(zip(file, file.dropFirst()).count { $0 == 0xFF && $1 == 0 } * 20 > file.count)
            _ = try isSame(file, eighths: 1, threads: Array(2...8))
        }

        @Test("Parts that nobody meets are left: here each begins in the middle of an MCU, whose blocks look the same")
        func noMeeting() throws {
            let file = Self.coefficients(.whole, isPlain: true)
            #expect(try isSame(file, eighths: 2, threads: Array(2...8)).contains(false))
        }

        @Test("Damaged data give the same pixels, or the same error")
        func damage() throws {
            let file = try Self.half.get()
            var options = DecodeOptions()
            options.target = .size(.fit(250, 250))
            func outcome(_ bytes: [UInt8], _ threads: Int) throws -> ([UInt8], ImageError.Code?) {
                let decoder = JPEGDecoder(
                    options: ResolvedDecodeOptions(options), environment: DecodeEnvironment(threads: threads))
                _ = try decoder.read(from: ByteRope(bytes))
                var pixels: [UInt8] = []
                let code = JPEGSamples.code { pixels = try JPEGSamples.decode(decoder).packedBytes() }
                return (pixels, code)
            }
            var errors = 0
            for step in 0..<12 {
                var changed = file
                let place = file.count * (step + 7) / 20
                if step % 4 == 3 {
                    changed.removeSubrange(place...)
                } else {
                    changed[place] = step % 4 == 2 ? 0xFF : changed[place] ^ 0x14
                }
                let (alone, several) = (try outcome(changed, 1), try outcome(changed, 3))
                #expect(alone == several, "byte \(place)")
                errors += alone.1 == nil ? 0 : 1
            }
            // Some changes are images too.
            #expect((3..<12).contains(errors))
        }

        @Test("Without room for what the others keep, one thread decodes")
        func budget() throws {
            let file = try Self.half.get()
            var options = DecodeOptions()
            options.target = .size(.fit(200, 200))
            var results: [[UInt8]] = []
            for capacity in [60_000, 16 << 20] {
                let budget = ResourceBudget(capacity: capacity)
                let decoder = JPEGDecoder(
                    options: ResolvedDecodeOptions(options), environment: DecodeEnvironment(budget: budget, threads: 2))
                _ = try decoder.read(from: ByteRope(file))
                results.append(try JPEGSamples.decode(decoder).packedBytes())
                #expect(budget.usedBytes == 0)
                #expect((budget.peakBytes > 0) == (capacity > 60_000))
            }
            #expect(results[0] == results[1])
        }

        @Test("A decode whose time is over ends, whatever the others do")
        func timeIsOver() throws {
            let file = try Self.half.get()
            var options = DecodeOptions()
            options.target = .size(.fit(200, 200))
            let decoder = JPEGDecoder(
                options: ResolvedDecodeOptions(options),
                environment: DecodeEnvironment(limits: DecodeLimits(maximumDecodeTime: .zero), threads: 2))
            _ = try decoder.read(from: ByteRope(file))
            #expect(JPEGSamples.code { _ = try JPEGSamples.decode(decoder) } == .limitExceeded)
        }
    }
#endif
