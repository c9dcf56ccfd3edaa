#if PNG && JPEG
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    /// Reductions that average light. The mean of black and white is 188 in sRGB (IEC 61966-2-1), that of their numbers 128.
    struct LinearLightTests {
        /// A board of black and white fields, each `side` pixels wide.
        private func board(_ size: Int, fields side: Int, _ format: ImageFormat) throws -> ByteRope {
            let bitmap = try TestImages.draw(width: size, height: size, alpha: .opaque) { x, y in
                (x / side + y / side).isMultiple(of: 2) ? 0xFFFF_FFFF : 0xFF00_0000
            }
            return try ImageEncoding(coders: AvailableCoders.manager).encode(
                TestImages.still(bitmap), options: EncodeOptions(format: format, quality: 100)
            ).bytes
        }

        private func middle(of bytes: ByteRope, at size: Int, light: Bool) throws -> Int {
            var options = ResolvedDecodeOptions()
            (options.target, options.usesLinearLight) = (.size(.fit(size, size)), light)
            let bitmap = try ImageDecoding(coders: AvailableCoders.manager).decode(bytes, options: options).bitmap
            #expect(bitmap.size == PixelSize(width: size, height: size))
            return Int(bitmap.packedBytes()[(size / 2 * size + size / 2) * 4 + 1])
        }

        /// The fields are 1.5 pixels each where the decoder's own shrinking ends, at three times the size. It softens them, which takes a
        /// part of their light; without shrinking nothing does.
        @Test(arguments: [ImageFormat.png, .jpeg], [2, 4, 8])
        func fineFieldsKeepTheirLight(_ format: ImageFormat, reduction: Int) throws {
            let bytes = try board(32 * reduction, fields: max(reduction / 2, 1), format)
            #expect(abs(try middle(of: bytes, at: 32, light: false) - 128) < 4)
            let light = try middle(of: bytes, at: 32, light: true)
            #expect(reduction == 2 ? (185...191).contains(light) : (138...191).contains(light), "\(light)")
        }

        @Test func theWholeImageStaysAsItIs() throws {
            let bytes = try board(32, fields: 8, .png)
            for light in [false, true] { #expect([0, 255].contains(try middle(of: bytes, at: 32, light: light))) }
        }

        @Test func itIsPartOfTheKey() {
            var options = ResolvedDecodeOptions()
            options.target = .size(.fit(8, 8))
            let plain = options.keyText
            options.usesLinearLight = true
            #expect(options.keyText != plain)
        }
    }
#endif
