#if GTK
    import CGTK
    import GannetViews
    import GannetCore
    import GannetGTK
    import GannetImages
    import GannetTesting
    import Testing

    /// Pictures that GTK cannot draw in one piece.
    @Suite(.enabled(if: GTKHarness.isAvailable, "no display: run under xvfb-run"), .serialized) struct DrawingTests {
        /// Red, and from two thirds on green.
        private func stripe(_ width: Int, _ height: Int) throws -> DecodedImage {
            var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: width, height), alpha: .opaque))
            for y in 0..<height {
                var row = buffer.mutableRow(y)
                for x in 0..<width {
                    let isGreen = max(x, y) * 3 >= max(width, height) * 2
                    for channel in 0..<4 { row[x * 4 + channel] = UInt8((isGreen ? green : red)[channel]) }
                }
            }
            let bitmap = buffer.freeze()
            return .still(bitmap, ImageMetadata(format: .png, originalSize: bitmap.size))
        }

        @Test("a picture that is longer than a texture of Cairo may be", arguments: [(40_000, 2), (2, 40_000)])
        @GTKActor func longPictures(width: Int, height: Int) async throws {
            let view = ImageView()
            view.gannet.contentMode = .stretch
            let window = try TestWindow(view.widget)
            view.gannet.show(try stripe(width, height))
            // Any warning of GTK ends the process.
            await window.until { painted(view.picture)[30, 30] == red }
            let shown = painted(view.picture)
            for place in [2, 10, 20, 35] { #expect(width > height ? shown[place, 30] == red : shown[30, place] == red) }
            for place in [45, 50, 57] { #expect(width > height ? shown[place, 30] == green : shown[30, place] == green) }
            window.close()
        }
    }
#endif
