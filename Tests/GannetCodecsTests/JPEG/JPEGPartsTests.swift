#if JPEG
    import GannetCore
    import GannetTesting
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
        private static let whole = Result { try photograph(669, 615, EncodeOptions(quality: 99)) }
        private static let gray = Result { try photograph(669, 615, EncodeOptions(quality: 99), isGray: true) }
        private static let progressive = Result {
            try photograph(1043, 1029, EncodeOptions(quality: 85, progressive: true))
        }

        enum Sampling: CaseIterable { case half, whole, gray }

        /// Coefficients whose codes have many ones, so that many bytes are 0xFF and a zero; or equal blocks.
        private static func coefficients(
            _ sampling: Sampling, most: Int, restartInterval: Int = 0, isPlain: Bool = false
        ) -> [UInt8] {
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
            // 9 bits for the mean and for the end, 10 for each coefficient.
            let first = Set(JPEGCoefficientFile.zigzag[1...most])
            let values = [1023, -3, 1023, 0, 511]
            file.fill { component, block, place in
                if isPlain { return first.contains(place) ? 1 : 0 }
                if place > most { return 0 }
                return place == 0 ? (component * 7919 + block * 31) % 240 - 120 : values[(block + place * (component + 1)) % 5]
            }
            return file.bytes()
        }

        /// For each number of threads, of which so many are started: whether the others had read the last row.
        private func isSame(_ file: [UInt8], eighths: Int, threads: [Int], started: [Int]) throws -> [Bool] {
            let alone = try #require(try JPEGShrinkerTests.shrunk(file, eighths, threads: 1).bitmap).packedBytes()
            return try zip(threads, started).map { count, started in
                let several = try JPEGShrinkerTests.shrunk(file, eighths, threads: count)
                #expect(several.bitmap?.packedBytes() == alone, "\(count) threads")
                #expect(several.threads == started, "\(count) threads, \(file.count) bytes")
                return several.follows
            }
        }

        @Test("The pixels are those of one thread, and others read what is below", arguments: [1, 2, 4])
        func pixels(eighths: Int) throws {  // CD-31
            for file in try [Self.half.get(), Self.whole.get(), Self.gray.get()] {
                let most = min(8, file.count / (96 << 10))
                #expect(most >= 3)
                #expect(try isSame(file, eighths: eighths, threads: [2, 3, 8], started: [2, 3, most]) == [true, true, true])
            }
        }

        @Test("Scans of a progressive file are read by several threads", arguments: [2, 4])
        func progressive(eighths: Int) throws {
            let file = try Self.progressive.get()
            #expect(try isSame(file, eighths: eighths, threads: [2, 3, 8], started: [2, 3, 4]) == [true, true, true])
            // Damage in any scan is damage.
            for step in 3..<9 {
                let cut = Array(file[..<(file.count * step / 10)] + [0xFF, 0xD9])
                #expect(try JPEGShrinkerTests.shrunk(cut, eighths, threads: 2).bitmap == nil)
            }
        }

        @Test(
            "Where restart markers stand, parts begin behind them",
            arguments: [
                (Sampling.gray, 63, 1, 5), (.gray, 63, 65, 5), (.half, 30, 23, 8), (.whole, 60, 500, 8),
                // Only one marker.
                (.whole, 60, 4000, 2),
            ])
        func restarts(sampling: Sampling, coefficients: Int, interval: Int, most: Int) throws {
            let file = Self.coefficients(sampling, most: coefficients, restartInterval: interval)
            #expect(try isSame(file, eighths: 2, threads: [2, 8], started: [2, most]) == [true, true])
        }

        @Test("A marker that is missing, or stands elsewhere, is damage as before")
        func wrongMarkers() throws {
            let file = Self.coefficients(.gray, most: 63, restartInterval: 65)
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
            let file = Self.coefficients(.whole, most: 60)
            #expect(zip(file, file.dropFirst()).count { $0 == 0xFF && $1 == 0 } * 20 > file.count)
            _ = try isSame(file, eighths: 1, threads: Array(2...8), started: Array(2...8))
        }

        @Test("Parts that nobody meets are left: here each begins in the middle of an MCU, whose blocks look the same")
        func noMeeting() throws {
            let file = Self.coefficients(.whole, most: 60, isPlain: true)
            #expect(try isSame(file, eighths: 2, threads: Array(2...8), started: Array(2...8)).contains(false))
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

        @Test("Without room for what the others keep, one thread decodes, and nothing is short")
        func budget() throws {
            let file = try Self.half.get()
            var options = DecodeOptions()
            options.target = .size(.fit(200, 200))
            var results: [[UInt8]] = []
            for room in [60_000, 16 << 20] {
                let budget = ResourceBudget(capacity: 32 << 20)
                let others = try #require(try budget.reserve(budget.capacity - room))
                let part = budget.part()
                let decoder = JPEGDecoder(
                    options: ResolvedDecodeOptions(options), environment: DecodeEnvironment(budget: part, threads: 2))
                _ = try decoder.read(from: ByteRope(file))
                results.append(try JPEGSamples.decode(decoder).packedBytes())
                #expect(part.usedBytes == 0 && part.shortage == nil && budget.usedBytes == others.bytes)
                #expect((part.peakBytes > 0) == (room > 60_000))
            }
            #expect(results[0] == results[1])
        }

        @Test("Nothing is spare while a decode waits for memory")
        func waiters() async throws {
            let budget = ResourceBudget(capacity: 1000)
            let part = budget.part()
            var others = try budget.reserve(400)
            let tooMuch = part.reserveSpare(601)
            #expect(tooMuch == nil)
            var spare = part.reserveSpare(600)
            #expect(spare?.bytes == 600 && part.usedBytes == 600 && budget.usedBytes == 1000)
            spare = nil
            let waiting = Task { try await budget.reserveWhenFree(700).bytes }
            let waits = await eventually { budget.waitingCount == 1 }
            #expect(waits)
            spare = part.reserveSpare(1)
            #expect(spare == nil && part.shortage == nil && part.usedBytes == 0)
            others = nil
            let came = try await waiting.value
            #expect(came == 700 && others == nil)
        }

        @Test("A decode that ends early ends its threads", arguments: [0, 1, 40, 200])
        func earlyEnd(rows: Int) throws {
            for file in [
                try Self.half.get(), try Self.progressive.get(), Self.coefficients(.half, most: 30, restartInterval: 23),
            ] {
                let several = try JPEGShrinkerTests.shrunk(file, 4, threads: 3, rows: rows)
                let alone = try JPEGShrinkerTests.shrunk(file, 4, threads: 1, rows: rows)
                #expect(several.threads == 3 && alone.threads == 1)
                let bytes = rows * (alone.bitmap?.size.width ?? 0) * 4
                #expect(several.bitmap?.packedBytes().prefix(bytes) == alone.bitmap?.packedBytes().prefix(bytes))
                #expect(alone.bitmap != nil)
            }
        }
    }
#endif
