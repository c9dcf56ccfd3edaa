#if WebP
    import CWebP
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    @testable import GannetCodecs

    /// Every field of libwebp's encoder can be set, is checked, and reaches it.
    @Suite struct WebPOptionTests {
        /// Where the library has a field, written out anew.
        private static let places: [WebPOptions.Field: @Sendable (WebPConfig) -> Double] = [
            .lossless: { Double($0.lossless) }, .method: { Double($0.method) }, .targetSize: { Double($0.target_size) },
            .targetPSNR: { Double($0.target_PSNR) }, .segments: { Double($0.segments) },
            .noiseShaping: { Double($0.sns_strength) }, .filterStrength: { Double($0.filter_strength) },
            .filterSharpness: { Double($0.filter_sharpness) }, .filterType: { Double($0.filter_type) },
            .autofilter: { Double($0.autofilter) }, .alphaCompression: { Double($0.alpha_compression) },
            .alphaFiltering: { Double($0.alpha_filtering) }, .alphaQuality: { Double($0.alpha_quality) },
            .pass: { Double($0.pass) }, .preprocessing: { Double($0.preprocessing) }, .partitions: { Double($0.partitions) },
            .partitionLimit: { Double($0.partition_limit) }, .emulatesJPEGSize: { Double($0.emulate_jpeg_size) },
            .threads: { Double($0.thread_level) }, .lowMemory: { Double($0.low_memory) },
            .nearLossless: { Double($0.near_lossless) }, .exact: { Double($0.exact) }, .sharpYUV: { Double($0.use_sharp_yuv) },
            .imageHint: { Double($0.image_hint.rawValue) }, .qualityMinimum: { Double($0.qmin) },
            .qualityMaximum: { Double($0.qmax) },
        ]

        private func encoder(_ webP: WebPOptions, quality: Int? = 70) throws -> any ImageEncoder {
            let options = EncodeOptions(format: .webp, quality: quality, webP: webP)
            return try #require(try WebPCoder().makeEncoder(for: .webp, options: options))
        }

        private func config(_ webP: WebPOptions, quality: Int? = 70) throws -> WebPConfig {
            let encoder = try #require(try encoder(webP, quality: quality) as? WebPEncoder)
            return try encoder.configuration(quality ?? 80)
        }

        // FM-05
        @Test(arguments: WebPOptions.Field.allCases) func everyFieldArrives(_ field: WebPOptions.Field) throws {
            let place = try #require(Self.places[field])
            let standard = place(try config(WebPOptions()))
            for value in [field.range.lowerBound, field.range.upperBound] {
                // The library's own limits of the quality exclude no other.
                var options = WebPOptions()
                options[field] = value
                let found = place(try config(options))
                #expect(found == Double(Float(value)) || field == .targetSize && found == value)
            }
            #expect(field.range.contains(standard))
        }

        @Test(arguments: WebPOptions.Field.allCases) func valuesOutsideAreRefused(_ field: WebPOptions.Field) throws {
            for value in [field.range.lowerBound - 1, field.range.upperBound + 1, .nan, .infinity] {
                var options = WebPOptions()
                options[field] = value
                let error = #expect(throws: ImageError.self) { try encoder(options) }
                #expect(error?.code == .misuse && error?.message.contains(field.rawValue) == true)
            }
            var half = WebPOptions()
            half[field] = field.range.lowerBound + 0.5
            #expect(((try? encoder(half)) != nil) == (field == .targetPSNR))
        }

        @Test func limitsOfTheQualityHaveAnOrder() throws {
            var options = WebPOptions()
            (options.minimumQuality, options.maximumQuality) = (60, 40)
            #expect(throws: ImageError.self) { try encoder(options) }
            options.maximumQuality = 60
            #expect(try config(options).qmin == 60)
        }

        @Test func typedNamesAreTheFields() throws {
            var options = WebPOptions()
            options.lossless = true
            options.method = 5
            options.imageHint = .graph
            options.targetSize = 1000
            options.targetPSNR = 42.5
            options.segments = 2
            options.noiseShaping = 31
            options.filterStrength = 32
            options.filterSharpness = 3
            options.filterType = 0
            options.autofilter = true
            options.alphaCompression = false
            options.alphaFiltering = 2
            options.alphaQuality = 33
            options.pass = 4
            options.preprocessing = 1
            options.partitions = 2
            options.partitionLimit = 34
            options.emulatesJPEGSize = true
            options.usesThreads = true
            options.usesLowMemory = true
            options.nearLossless = 35
            options.exact = true
            options.usesSharpYUV = true
            options.minimumQuality = 10
            options.maximumQuality = 90
            let set: [WebPOptions.Field: Double] = [
                .lossless: 1, .method: 5, .imageHint: 3, .targetSize: 1000, .targetPSNR: 42.5, .segments: 2, .noiseShaping: 31,
                .filterStrength: 32, .filterSharpness: 3, .filterType: 0, .autofilter: 1, .alphaCompression: 0,
                .alphaFiltering: 2, .alphaQuality: 33, .pass: 4, .preprocessing: 1, .partitions: 2, .partitionLimit: 34,
                .emulatesJPEGSize: 1, .threads: 1, .lowMemory: 1, .nearLossless: 35, .exact: 1, .sharpYUV: 1,
                .qualityMinimum: 10, .qualityMaximum: 90,
            ]
            #expect(options.values == set && set.count == WebPOptions.Field.allCases.count)
            #expect(
                options.imageHint == .graph && options.usesSharpYUV == true && options.method == 5 && options.targetPSNR == 42.5)
            options.method = nil
            #expect(options.values.count == set.count - 1)
        }

        @Test func losslessIsIndependentOfTheQuality() throws {
            #expect(try config(WebPOptions(), quality: 100).lossless == 1)
            var lossy = WebPOptions()
            lossy.lossless = false
            let best = try config(lossy, quality: 100)
            #expect(best.lossless == 0 && best.quality == 100)
            var lossless = WebPOptions()
            lossless.lossless = true
            let quick = try config(lossless, quality: 20)
            #expect(quick.lossless == 1 && quick.quality == 20)
            #expect(try config(lossless, quality: nil).quality == 75)
        }

        /// What differs in the files themselves.
        @Test func filesDiffer() throws {
            let image = TestImages.still(try TestImages.noise(width: 96, height: 96))
            let plain = try encoder(WebPOptions()).encode(image)
            let changes: [(WebPOptions.Field, Double)] = [
                (.method, 0), (.segments, 1), (.noiseShaping, 0), (.filterSharpness, 7), (.filterStrength, 0), (.filterType, 0),
                (.lossless, 1), (.sharpYUV, 1),
            ]
            for (field, value) in changes {
                var options = WebPOptions()
                options[field] = value
                let file = try encoder(options).encode(image)
                let isOther = file != plain
                #expect(isOther, "\(field.rawValue)")
                #expect(WebPCoder().recognizes(file.span) == .yes(.webp))
            }
            var small = WebPOptions()
            (small.targetSize, small.pass) = (2000, 6)
            #expect(try encoder(small).encode(image).count < plain.count)
        }

        @Test func keysNameWhatIsSet() throws {
            var options = WebPOptions()
            (options.method, options.exact) = (6, true)
            let other = EncodeOptions(format: .webp, webP: options)
            #expect(other.keyText.hasSuffix(",w=exact:1.0+method:6.0"))
            #expect(EncodeOptions(format: .webp).keyText == EncodeOptions(format: .webp, webP: WebPOptions()).keyText)
            #expect(other != EncodeOptions(format: .webp))
        }

        /// Before anything is fetched.
        @Test func aRequestIsRefusedAtOnce() throws {
            var options = WebPOptions()
            options.method = 7
            let encoding = ImageEncoding(coders: CodersManager([WebPCoder()]))
            let image = TestImages.still(try TestImages.flat(width: 2, height: 2))
            let error = #expect(throws: ImageError.self) {
                try encoding.encode(image, options: EncodeOptions(format: .webp, webP: options))
            }
            #expect(error?.message == "WebP: method is 7, and may be a whole number from 0 to 6.")
        }
    }
#endif
