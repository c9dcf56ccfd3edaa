#if GTK
    import CGTK
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
            return drawing.all.first.map { paint($0.raw, width: 4, height: 4).bytes[0] }
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

        /// Of a bitmap that has been drawn, and is gone.
        @GTKActor private func addressOfOne(drawnBy drawing: inout SnapshotDrawing) throws -> ObjectIdentifier {
            let bitmap = try opaque(10)
            #expect(try drawn(bitmap, &drawing) == 10)
            return bitmap.identity
        }
    }
#endif
