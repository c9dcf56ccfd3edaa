#if GTK
    import CGTK
    import CGannetShims
    import GannetCore
    import GannetViews
    import GannetTesting
    import Testing

    @testable import GannetGTK

    /// Textures that are kept from one frame to the next.
    @Suite(.enabled(if: GTKHarness.isAvailable, "no display: run under xvfb-run"), .serialized) struct TextureTests {
        private func opaque(_ value: UInt8) throws -> Bitmap {
            var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 4, 4), alpha: .opaque))
            for y in 0..<4 {
                var row = buffer.mutableRow(y)
                for x in 0..<16 { row[x] = x % 4 == 3 ? 255 : value }
            }
            return buffer.freeze()
        }

        /// The first byte of the texture that a picture is drawn with.
        @GTKActor private func drawn(_ bitmap: Bitmap, _ drawing: inout SnapshotDrawing) throws -> UInt8? {
            let presenter = Presenter(loader: ManualLoader())
            presenter.show(.still(bitmap, ImageMetadata(format: .png, originalSize: bitmap.size)))
            _ = presenter.advance(to: .zero)
            let snapshot = try #require(gtk_snapshot_new())
            drawing.draw(presenter.scene(in: LayoutSize(width: 4, height: 4)), on: snapshot, byProcessor: true)
            if let node = gtk_snapshot_free_to_node(snapshot) { gsk_render_node_unref(node) }
            return drawing.textures.first.map { paint($0.raw, width: 4, height: 4).bytes[0] }
        }

        /// Eight by four pixels of PQ whose samples are all `signal`, with `alpha` in 16 bits.
        private func bright(_ signal: Int, alpha: AlphaMode = .opaque) throws -> Bitmap {
            var layout = PixelLayout(size: PixelSize(clamping: 8, 4), format: .rgba16, alpha: alpha)
            layout.dynamicRange = .high
            var buffer = try PixelBuffer(layout)
            for y in 0..<4 {
                var row = buffer.mutableRow(y)
                for x in 0..<32 {
                    let sample = x % 4 == 3 ? 65_535 : signal - (x / 4 * 100 + y)
                    (row[2 * x], row[2 * x + 1]) = (UInt8(sample & 255), UInt8(sample >> 8))
                }
            }
            return buffer.freeze()
        }

        private static let alphas = [AlphaMode.opaque, .premultiplied, .straight]

        /// The numbers of PQ, and a colour state that says so. GTK has them from 4.16 on; Debian 12 has 4.8. CX-15
        @Test("a texture keeps its light", .enabled(if: gannet_gtk_has_color_states()), arguments: alphas) @GTKActor
        func lightIsKept(_ alpha: AlphaMode) throws {
            let bitmap = try bright(50_000, alpha: alpha)
            for part in [PixelRect(x: 0, y: 0, width: 8, height: 4), PixelRect(x: 3, y: 1, width: 4, height: 2)] {
                let texture = GTKTexture(bitmap, part: part, keepsLight: true)
                #expect(texture.isInHighRange)
                var found = [UInt16](repeating: 0, count: part.width * part.height * 4)
                found.withUnsafeMutableBytes { bytes in
                    gannet_gtk_download_pq(
                        texture.raw, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), part.width * 8)
                }
                var wanted: [UInt16] = []
                for y in part.y..<part.y + part.height {
                    for x in part.x..<part.x + part.width {
                        wanted += [UInt16](repeating: UInt16(50_000 - (x * 100 + y)), count: 3) + [65_535]
                    }
                }
                #expect(found == wanted)
                #expect(!GTKTexture(bitmap, part: part).isInHighRange)
            }
        }

        /// Asked for, too.
        @Test("standard range says nothing, and without colour states high range becomes standard") @GTKActor
        func lightThatIsNotKept() throws {
            let all = PixelRect(x: 0, y: 0, width: 4, height: 4)
            #expect(!GTKTexture(try opaque(90), part: all, keepsLight: true).isInHighRange)
            let texture = GTKTexture(try bright(38_055 + 703), part: all, keepsLight: true)
            #expect(texture.isInHighRange == gannet_gtk_has_color_states())
            // Where it was not switched on, and where a window is painted by the processor.
            #expect(!GannetToolkit.showsHighRange)
            GannetToolkit.showsHighRange = true
            defer { GannetToolkit.showsHighRange = false }
            var drawing = SnapshotDrawing()
            #expect(try (228...230).contains(drawn(bright(38_055), &drawing) ?? 0))
            #expect(drawing.textures.allSatisfy { !$0.isInHighRange })
        }

        /// Whatever GTK there is: the numbers of PQ where they are kept, those of sRGB where they are not, and how each is told. CX-15
        @Test("what GTK is given of high range", arguments: alphas) @GTKActor func given(_ alpha: AlphaMode) throws {
            let bitmap = try bright(50_000, alpha: alpha)
            let part = PixelRect(x: 3, y: 1, width: 4, height: 2)
            let kept = TextureContent(bitmap, part: part, keepsLight: true)
            #expect(kept.isBright && kept.part == part)
            #expect(kept.format == [AlphaMode.premultiplied: 4, .straight: 5, .opaque: 6][alpha])
            var found: [Int] = []
            kept.withPixels { first, count, bytesPerRow in
                #expect(count == bytesPerRow + 4 * 8)
                for y in 0..<2 {
                    for x in 0..<4 {
                        let sample = first + y * bytesPerRow + x * 8
                        found.append(Int(sample[0]) | Int(sample[1]) << 8)
                    }
                }
            }
            #expect(found == [1, 2].flatMap { y in (3..<7).map { x in 50_000 - (x * 100 + y) } })
            let plain = TextureContent(bitmap, part: part, keepsLight: false)
            #expect(!plain.isBright && !plain.bitmap.dynamicRange.isHigh && plain.part.size == part.size)
            #expect(plain.withPixels { first, _, _ in [Int(first[0]) | Int(first[1]) << 8] } != [found[0]])
            #expect(!TextureContent(try opaque(90), part: PixelRect(x: 0, y: 0, width: 4, height: 4), keepsLight: true).isBright)
        }

        @Test("high range is kept where it was switched on, the colours are managed and a graphics card paints") @GTKActor
        func keeping() throws {
            var drawing = SnapshotDrawing()
            let (high, standard) = (try bright(50_000), try opaque(90))
            defer { GannetToolkit.showsHighRange = false }
            for isOn in [false, true] {
                GannetToolkit.showsHighRange = isOn
                for isManaged in [false, true] {
                    drawing.managesColors = { isManaged }
                    #expect(drawing.isBright(high, byProcessor: false) == (isOn && isManaged))
                    #expect(!drawing.isBright(high, byProcessor: true) && !drawing.isBright(standard, byProcessor: false))
                }
            }
        }

        /// GTK takes all numbers for those of sRGB: white of 203 cd/m², a signal of 58 %, is a light grey where nobody says how bright it
        /// becomes (decision 45). CX-15
        @Test("high range is drawn in standard range") @GTKActor func highRange() throws {
            var layout = PixelLayout(size: PixelSize(clamping: 8, 4), format: .rgba16, alpha: .opaque)
            layout.dynamicRange = .high
            var buffer = try PixelBuffer(layout)
            for y in 0..<4 {
                var row = buffer.mutableRow(y)
                for x in 0..<32 {
                    let sample = x % 4 == 3 ? 65_535 : 38_055
                    (row[2 * x], row[2 * x + 1]) = (UInt8(sample & 255), UInt8(sample >> 8))
                }
            }
            let bitmap = buffer.freeze()
            for part in [PixelRect(x: 0, y: 0, width: 8, height: 4), PixelRect(x: 3, y: 1, width: 4, height: 2)] {
                let texture = GTKTexture(bitmap, part: part)
                let bytes = paint(texture.raw, width: part.width, height: part.height).bytes
                #expect(bytes.count == part.width * part.height * 4)
                #expect(bytes.allSatisfy { $0 == 255 || (228...230).contains($0) } && (228...230).contains(bytes[0]))
            }
        }

        /// The copies that windows without a graphics card are drawn from do not hold their pictures.
        @Test("a picture at the address of one that has gone is another") @GTKActor func sameAddress() throws {
            var drawing = SnapshotDrawing()
            // Another thread may take the address first.
            for _ in 0..<100 {
                let address = try addressOfOne(drawnBy: &drawing)
                var others: [Bitmap] = []
                while others.last?.identity != address, others.count < 1_000 { others.append(try opaque(200)) }
                guard let same = others.last, same.identity == address else { continue }
                #expect(try drawn(same, &drawing) == 200)
                return
            }
            Issue.record("no address was used again")
        }

        @Test("two views of one image, in two windows, draw one texture, which ends with the last of them") @GTKActor
        func sharedByViews() async throws {
            let image = DecodedImage.still(try opaque(90), ImageMetadata(format: .png, originalSize: PixelSize(clamping: 4, 4)))
            let views = [ImageView(), ImageView(), ImageView()]
            let windows = try views.map { view in
                view.gannet.contentMode = .stretch
                return try TestWindow(view.widget)
            }
            for view in views.prefix(2) { view.gannet.show(image) }
            views[2].gannet.show(try picture(green))
            let slots = views.map { $0.gannet.images.slot(.main) }
            await windows[0].until { slots.allSatisfy { $0.textures.count == 1 } }
            let drawn = slots.map { $0.textures.map(\.raw) }
            #expect(drawn[0].count == 1 && drawn[0] == drawn[1] && drawn[0] != drawn[2])
            let lifetime = Lifetime(try #require(drawn[0].first))
            views[0].gannet.show(nil)
            await windows[0].until { slots[0].textures.isEmpty }
            #expect(!lifetime.hasEnded && slots[1].textures.map(\.raw) == drawn[0])
            views[1].gannet.show(nil)
            await windows[0].until { lifetime.hasEnded }
            #expect(lifetime.hasEnded)
            for window in windows { window.close() }
        }

        @Test("what is remembered of textures does not grow with the images that were shown") @GTKActor func bounded() throws {
            let textures = SharedTextures()
            var kept: [(Bitmap, GTKTexture)] = []
            for number in 0..<1_000 {
                let bitmap = try opaque(UInt8(number % 251))
                let texture = textures.texture(bitmap, isPacked: false) { GTKTexture(bitmap) }
                if number % 100 == 0 { kept.append((bitmap, texture)) }
            }
            #expect(textures.count <= 64)
            for (bitmap, texture) in kept {
                #expect(textures.texture(bitmap, isPacked: false) { GTKTexture(bitmap) } === texture)
                #expect(textures.texture(bitmap, isPacked: true) { GTKTexture(bitmap) } !== texture)
            }
        }

        /// Of a bitmap that has been drawn, and is gone.
        @GTKActor private func addressOfOne(drawnBy drawing: inout SnapshotDrawing) throws -> ObjectIdentifier {
            let bitmap = try opaque(10)
            #expect(try drawn(bitmap, &drawing) == 10)
            return bitmap.identity
        }
    }
#endif
