#if GTK && PNG && JPEG
    import CGTK
    import GannetCache
    import GannetCodecs
    import GannetCore
    import GannetFetch
    import GannetGTK
    import GannetImages
    import GannetTesting
    import GannetViews
    import Testing

    /// Large images in a real window: what is painted is the crop of the whole.
    @Suite(.enabled(if: GTKHarness.isAvailable, "no display: run under xvfb-run"), .serialized) struct TileLayerTests {
        private let manager = ImageManager(
            configuration: ManagerConfiguration(
                memoryCache: MemoryCache(), diskCache: nil, loaders: LoadersManager([MemoryLoader()]),
                coders: CodersManager(BuiltInCoders.all)))

        /// Every pixel differs from its neighbours.
        private func pattern(_ width: Int, _ height: Int) throws -> Bitmap {
            var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: width, height), alpha: .opaque))
            for y in 0..<height {
                var row = buffer.mutableRow(y)
                for x in 0..<width {
                    row[x * 4] = UInt8(x & 255)
                    row[x * 4 + 1] = UInt8(y & 255)
                    row[x * 4 + 2] = UInt8((x >> 8) * 40 + (y >> 8) * 10)
                    row[x * 4 + 3] = 255
                }
            }
            return buffer.freeze()
        }

        @GTKActor private func zoom() -> ZoomView {
            let zoom = ZoomView(alternativeText: "a map")
            zoom.view.gannet.loader = manager
            zoom.largestWhole = 100_000
            return zoom
        }

        @GTKActor private func tiles(_ zoom: ZoomView) -> TileLayer? { zoom.view.gannet.images.slot(.main).tiles }

        @GTKActor private func scroll(_ zoom: ZoomView, to x: Double, _ y: Double) {
            let scroller = OpaquePointer(zoom.widget.raw)
            gtk_adjustment_set_value(gtk_scrolled_window_get_hadjustment(scroller), x)
            gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(scroller), y)
        }

        // NW-03
        @Test(arguments: [ImageFormat.png, .jpeg])
        @GTKActor func `At its own size a window shows exactly the pixels of the whole image`(_ format: ImageFormat) async throws
        {
            let drawn = DecodedImage.still(
                try pattern(1400, 1200), ImageMetadata(format: nil, originalSize: PixelSize(clamping: 1400, 1200)))
            let file = try await drawn.encoded(EncodeOptions(format: format))
            let request = ImageRequest(.data(file.bytes, identifier: format.identifier))
            let whole = try await manager.image(for: request).image.bitmap
            let zoom = zoom()
            let window = try TestWindow(zoom.widget, width: 200, height: 160)
            zoom.show(request)
            await window.until { tiles(zoom) != nil }
            zoom.setZoom(1)
            for (x, y) in [(0, 0), (430, 410), (1200, 1040)] {
                await window.frames(2)
                scroll(zoom, to: Double(x), Double(y))
                await window.until {
                    painted(zoom.widget)[60, 70] == pixel(whole, x + 60, y + 70) && tiles(zoom)?.isComplete == true
                }
                await window.frames(2)
                let seen = painted(zoom.widget)
                var wrong = 0
                // Scroll bars lie over the right and lower edges.
                for down in 0..<140 {
                    for across in 0..<180 where seen[across, down] != pixel(whole, x + across, y + down) { wrong += 1 }
                }
                #expect(wrong == 0, "at \(x), \(y)")
            }
            // The image did not grow with its view: its pixels are those of the first decode.
            #expect(zoom.view.gannet.image?.bitmap.width ?? 0 <= 200)
            zoom.view.gannet.reset()
            #expect(tiles(zoom) == nil)
            window.close()
        }

        /// One color, which lets half of the background through.
        @Test @GTKActor func `Where an image lets the background through, it is drawn once`() async throws {
            var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 1400, 1200), alpha: .premultiplied))
            for y in 0..<1200 {
                var row = buffer.mutableRow(y)
                for x in 0..<1400 { for channel in 0..<4 { row[x * 4 + channel] = [100, 50, 20, 128][channel] } }
            }
            let drawn = DecodedImage.still(
                buffer.freeze(), ImageMetadata(format: nil, originalSize: PixelSize(clamping: 1400, 1200)))
            let file = try await drawn.encoded(EncodeOptions(format: .png))
            let zoom = zoom()
            let window = try TestWindow(zoom.widget, width: 200, height: 160)
            zoom.show(ImageRequest(.data(file.bytes, identifier: "half")))
            await window.until { tiles(zoom) != nil }
            await window.frames(2)
            let once = painted(zoom.widget)[60, 70]
            zoom.setZoom(1)
            await window.until { (tiles(zoom)?.bytes ?? 0) > 0 && tiles(zoom)?.isComplete == true }
            await window.frames(2)
            scroll(zoom, to: 300, 300)
            await window.frame()
            for _ in 0..<3 {
                let seen = painted(zoom.widget)
                for place in [(60, 70), (10, 10), (120, 100)] {
                    let steps = zip(seen[place.0, place.1], once).map { abs($0 - $1) }
                    #expect((steps.max() ?? 255) <= 2, "\(seen[place.0, place.1]) instead of \(once) at \(place)")
                }
                await window.until { tiles(zoom)?.isComplete == true }
                await window.frames(2)
            }
            window.close()
        }

        @Test @GTKActor func `Tiles stay over an image that grows, and come back when it is loaded again`() async throws {
            let drawn = DecodedImage.still(
                try pattern(1400, 1200), ImageMetadata(format: nil, originalSize: PixelSize(clamping: 1400, 1200)))
            let file = try await drawn.encoded(EncodeOptions(format: .png))
            let zoom = zoom()
            let window = try TestWindow(zoom.widget, width: 200, height: 160)
            zoom.show(ImageRequest(.data(file.bytes, identifier: "grown")))
            await window.until { tiles(zoom) != nil }
            let first = try #require(tiles(zoom))
            let presenter = zoom.view.gannet.images.slot(.main).presenter
            let small = presenter.image?.bitmap.width ?? 0
            // As a size that was asked for before the tiles were there.
            presenter.setSize(LayoutSize(width: 600, height: 600), scale: 1)
            await window.until { (presenter.image?.bitmap.width ?? 0) > small }
            #expect(tiles(zoom) === first && first.base.identity == presenter.image?.bitmap.identity)
            presenter.reload()
            await window.until { tiles(zoom).map { $0 !== first } ?? false }
            #expect(tiles(zoom)?.base.identity == presenter.image?.bitmap.identity)
            window.close()
        }

        private func pixel(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> [Int] {
            guard x < bitmap.width, y < bitmap.height else { return [] }
            let row = bitmap.row(y)
            return (0..<4).map { Int(row[x * 4 + $0]) }
        }

        private func loader(_ coder: GatedCoder) -> ImageManager {
            var configuration = ManagerConfiguration(
                memoryCache: MemoryCache(), diskCache: nil, loaders: LoadersManager([MemoryLoader()]),
                coders: CodersManager([coder]))
            // Also on one processor.
            configuration.concurrentDecodes = 2
            return ImageManager(configuration: configuration)
        }

        // NW-03
        @Test @GTKActor func `Tiles that are scrolled away are finished, and what has begun ends with its view`() async throws {
            let gate = GatedCoder.Gate()
            let zoom = zoom()
            zoom.view.gannet.loader = loader(GatedCoder(gate: gate))
            let window = try TestWindow(zoom.widget, width: 200, height: 160)
            zoom.show(ImageRequest(.data(ByteRope([1, 2, 3]), identifier: "gated")))
            await window.until { tiles(zoom) != nil }
            // Four tiles around the middle, two of which are decoded at once.
            zoom.setZoom(1)
            await window.until { gate.begun == 2 }
            let first = tiles(zoom)?.wanted
            #expect(first?.count == 4)
            await window.frames(2)
            scroll(zoom, to: 1800, 1800)
            await window.until { tiles(zoom)?.wanted != first }
            gate.open()
            await window.until { gate.begun == 3 && gate.finished == 3 && tiles(zoom)?.isComplete == true }
            #expect(gate.cancelled == 0 && tiles(zoom)?.wanted.count == 1)
            // Also those that are not seen.
            #expect((tiles(zoom)?.bytes ?? 0) > 1 << 20)
            gate.close()
            scroll(zoom, to: 1800, 0)
            await window.until { gate.begun == 4 }
            zoom.view.gannet.reset()
            await window.until { gate.cancelled == 1 }
            #expect(gate.cancelled == 1 && gate.finished == 3)
            window.close()
        }

        // NW-03
        @Test @GTKActor func `Where one process has the file, tiles that are scrolled away do not wait for it`() async throws {
            let gate = GatedCoder.Gate()
            let zoom = zoom()
            zoom.view.gannet.loader = loader(GatedCoder(gate: gate, needsOwnThread: true))
            let window = try TestWindow(zoom.widget, width: 200, height: 160)
            zoom.show(ImageRequest(.data(ByteRope([1, 2, 3]), identifier: "gated alone")))
            await window.until { tiles(zoom) != nil }
            zoom.setZoom(1)
            await window.until { gate.begun == 1 }
            let first = tiles(zoom)?.wanted
            #expect(first?.count == 4)
            await window.frames(2)
            scroll(zoom, to: 1800, 1800)
            await window.until { tiles(zoom)?.wanted != first }
            gate.open()
            await window.until { tiles(zoom)?.isComplete == true && gate.finished == 2 }
            // The upper two of the four, and what is seen now.
            #expect(gate.begun == 2 && tiles(zoom)?.wanted.count == 1 && tiles(zoom)?.isComplete == true)
            zoom.view.gannet.reset()
            window.close()
        }

        @Test @GTKActor func `A transformed image has no tiles, and grows as a whole`() async throws {
            let drawn = DecodedImage.still(
                try pattern(600, 600), ImageMetadata(format: nil, originalSize: PixelSize(clamping: 600, 600)))
            let file = try await drawn.encoded(EncodeOptions(format: .png))
            let zoom = zoom()
            let window = try TestWindow(zoom.widget, width: 100, height: 100)
            zoom.show(ImageRequest(.data(file.bytes, identifier: "turned"), .transform(.roundCorners(radius: 3))))
            await window.until { zoom.view.gannet.image != nil }
            zoom.setZoom(1)
            await window.until { zoom.view.gannet.image?.bitmap.width == 600 }
            #expect(zoom.view.gannet.image?.bitmap.width == 600 && tiles(zoom) == nil)
            window.close()
        }
    }
#endif
