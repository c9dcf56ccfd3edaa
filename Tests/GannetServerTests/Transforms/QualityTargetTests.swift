#if CommandLine && HTTP && Server && PNG && JPEG && WebP
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    @testable import GannetServer

    /// A quality that is found by its effect.
    struct QualityTargetTests {
        private func answer(_ drawn: DrawnService, _ options: String) async -> ThumbnailService.Response {
            await drawn.answer(options)
        }

        /// The measure by its definition, window by window.
        private static func plain(_ first: Bitmap, _ second: Bitmap) -> Double {
            func light(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> Double {
                guard let color = bitmap.color(atX: x, y: y) else { return 0 }
                func linear(_ level: UInt8) -> Double {
                    let value = Double(level) / 255
                    return value <= 0.04045 ? value / 12.92 : DoublePower.of((value + 0.055) / 1.055, 2.4)
                }
                return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
            }
            var values: [Double] = []
            for top in stride(from: 0, through: first.height - 8, by: 4) {
                for left in stride(from: 0, through: first.width - 8, by: 4) {
                    var pairs: [(Double, Double)] = []
                    for y in top..<top + 8 {
                        for x in left..<left + 8 { pairs.append((light(first, x, y), light(second, x, y))) }
                    }
                    let a = pairs.map(\.0).reduce(0, +) / 64
                    let b = pairs.map(\.1).reduce(0, +) / 64
                    let aa = pairs.map { ($0.0 - a) * ($0.0 - a) }.reduce(0, +) / 64
                    let bb = pairs.map { ($0.1 - b) * ($0.1 - b) }.reduce(0, +) / 64
                    let ab = pairs.map { ($0.0 - a) * ($0.1 - b) }.reduce(0, +) / 64
                    values.append((2 * a * b + 0.0001) * (2 * ab + 0.0009) / ((a * a + b * b + 0.0001) * (aa + bb + 0.0009)))
                }
            }
            return (1 - values.reduce(0, +) / Double(values.count)) / 2
        }

        private enum DoublePower {
            /// For 0 < base: by the series of logarithm and exponential.
            static func of(_ base: Double, _ exponent: Double) -> Double {
                let part = (base - 1) / (base + 1)
                var (logarithm, power) = (0.0, part)
                for index in 0..<400 {
                    logarithm += 2 * power / Double(2 * index + 1)
                    power *= part * part
                }
                var (sum, term) = (1.0, 1.0)
                for index in 1..<80 {
                    term *= exponent * logarithm / Double(index)
                    sum += term
                }
                return sum
            }
        }

        @Test func `The measure is that of the paper`() throws {
            let first = try TestImages.noise(width: 32, height: 24)
            let second = try TestImages.draw(width: 32, height: 24, alpha: .opaque) { x, y in
                let color = first.color(atX: x, y: y) ?? .black
                return 0xFF00_0000 | UInt32(color.blue / 2) << 16 | UInt32(color.green) << 8 | UInt32(color.red / 3 + 40)
            }
            let (measured, defined) = (
                try first.structuralDissimilarity(to: second, background: 0), Self.plain(first, second)
            )
            #expect(abs(measured - defined) < 1e-9 && measured > 0.01, "\(measured) \(defined)")
            #expect(try first.structuralDissimilarity(to: first, background: 0) == 0)
        }

        @Test(arguments: [(1, 1), (3, 50), (9, 7), (8, 8), (13, 21)])
        func `Images of any size can be measured`(size: (Int, Int)) throws {
            let dark = try TestImages.draw(width: size.0, height: size.1, alpha: .opaque) { _, _ in 0xFF00_0000 }
            let light = try TestImages.draw(width: size.0, height: size.1, alpha: .opaque) { _, _ in 0xFFFF_FFFF }
            let clear = try TestImages.draw(width: size.0, height: size.1, alpha: .premultiplied) { _, _ in 0 }
            #expect(try dark.structuralDissimilarity(to: light, background: 0) > 0.49)
            #expect(try clear.structuralDissimilarity(to: light, background: 0xFFFFFF) < 1e-9)
            #expect(try clear.structuralDissimilarity(to: dark, background: 0) < 1e-9)
        }

        /// The difference falls as the quality rises: 0.1 at quality 0, 0 at 100.
        @Test(arguments: [0.0, 0.013, 0.05, 0.0999, 1])
        func `It is found with six files at most`(wanted: Double) throws {
            var target = QualityTarget(difference: wanted)
            (target.lowest, target.highest, target.error) = (1, 100, 0)
            var asked: [Int] = []
            let found = try target.search { quality throws(ImageError) in
                asked.append(quality)
                return (file: quality, difference: 0.1 * (1 - Double(quality) / 100))
            }
            let least = min(max(Int((100 * (1 - wanted / 0.1)).rounded(.up)), 1), 100)
            #expect(asked.count <= 6 && Set(asked).count == asked.count && asked.contains(found))
            #expect(found >= least && found <= min(least + 4, 100), "\(found) for \(least)")
        }

        /// WebP always halves the resolution of colours, whose noise no quality brings back.
        @Test(arguments: [("jpeg", [0.002, 0.01, 0.05]), ("webp", [0.02, 0.04, 0.1])])
        func `A file keeps to the difference`(format: String, differences: [Double]) async throws {  // NW-15
            let drawn = try DrawnService(try Samples.photo())
            let source = try await drawn.bitmap("w:160")
            var sizes: [Int] = []
            for wanted in differences {
                let made = await answer(drawn, "w:160/f:\(format)/autoquality:dssim:\(wanted):1:99:0.0002")
                let shown = try await DrawnService.decoded(made).bitmap
                let difference = try source.structuralDissimilarity(to: shown, background: 0)
                #expect(difference <= wanted + 0.0002, "\(wanted): \(difference)")
                sizes.append(made.body.count)
            }
            #expect(sizes[0] > sizes[1] && sizes[1] > sizes[2], "\(sizes)")
        }

        @Test func `The bounds of the quality are kept`() async throws {
            let drawn = try DrawnService(try Samples.photo())
            let (strict, highest) = (await answer(drawn, "f:jpeg/aq:dssim:0:30:60"), await answer(drawn, "f:jpeg/q:60"))
            #expect(strict.status == 200 && strict.body == highest.body)
            let (loose, lowest) = (await answer(drawn, "f:jpeg/aq:dssim:1:30:35:0"), await answer(drawn, "f:jpeg/q:30"))
            #expect(loose.body == lowest.body)
        }

        @Test func `A size in bytes is that of max_bytes`() async throws {
            let drawn = try DrawnService(try Samples.photo())
            let (found, limited) = (await answer(drawn, "f:jpeg/autoquality:size:4000"), await answer(drawn, "f:jpeg/mb:4000"))
            #expect(found.status == 200 && found.body.count <= 4000 && found.body == limited.body)
        }

        @Test func `Formats without a quality have none`() async throws {
            let drawn = try DrawnService(try Samples.photo())
            #expect(await answer(drawn, "f:png/aq:dssim:0.02").body == answer(drawn, "f:png").body)
        }

        @Test(arguments: [
            "aq:dssim", "aq:dssim:2", "aq:dssim:0.1:90:80", "aq:size:0", "aq:size", "aq:ml:1", "aq:dssim:0.1:1:2:3:4",
        ])
        func `What makes no sense is refused`(option: String) async throws {
            #expect(await answer(try DrawnService(try Samples.png()), option).status == 400)
        }

        @Test func `Memory that is not free is not taken`() async throws {
            let drawn = try DrawnService(try Samples.photo())
            let image = TestImages.still(try await drawn.bitmap("w:60"))
            var options = ProcessingOptions()
            options.qualityTarget = QualityTarget(difference: 0.02)
            let coders = drawn.service.manager.configuration.coders
            func code(_ budget: ResourceBudget) -> ImageError.Code? {
                let encoding = ResponseEncoding(options: options, coders: coders, limits: .standard, budget: budget) {
                    encoding throws(ImageError) in
                    try ImageEncoding(coders: coders).encode(image, options: encoding)
                }
                do throws(ImageError) { _ = try encoding.file(of: image, as: [.jpeg]) } catch { return error.code }
                return nil
            }
            let budget = ResourceBudget(capacity: 20_000)
            do {
                let held = try #require(try budget.reserve(15_000))
                let refused = code(budget)
                #expect(refused == .cancelled && budget.usedBytes == 15_000)
                withExtendedLifetime(held) {}
            }
            let measured = code(budget)
            #expect(measured == nil && budget.usedBytes == 0)
        }
    }
#endif
