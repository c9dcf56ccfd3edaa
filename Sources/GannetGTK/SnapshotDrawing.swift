#if GTK
    import CGTK
    import CGannetShims
    import GannetCore
    import GannetImages
    import GannetViews

    /// Content that replaces an image, or lies over it, while that image is drawn.
    @GTKActor struct LiveContent {
        var video: VideoPlayback?
        var tiles: TileLayer?
        /// Where the whole image of the tiles lies: the smaller one below them has its proportions to within a pixel only.
        var whole: LayoutRect?
        /// Pixels of the display for each point.
        var scale = 1.0
    }

    /// Draws scenes with GTK's snapshots. Keeps the textures of the last drawing, so that a redraw uploads nothing.
    @GTKActor struct SnapshotDrawing {
        /// Of the last drawing.
        private(set) var textures: [GTKTexture] = []
        /// Of the drawing before it, while there is a new one.
        private var spare: [GTKTexture] = []
        /// Replaces in tests what GTK and the compositor know.
        var managesColors: @GTKActor () -> Bool = { gannet_gtk_manages_colors() }
        /// Longest side in pixels that Cairo draws; larger images are drawn in parts of `partSide`.
        private static let longest = 32_767
        private static let partSide = 16_384

        /// - Parameter byProcessor: GTK paints the window without a GPU.
        mutating func draw(_ scene: Scene, _ live: LiveContent = LiveContent(), on snapshot: OpaquePointer, byProcessor: Bool) {
            swap(&textures, &spare)
            for layer in scene.layers {
                var clip = layer.clip.graphene
                gtk_snapshot_push_clip(snapshot, &clip)
                if layer.opacity < 1 { gtk_snapshot_push_opacity(snapshot, layer.opacity) }
                var frame = layer.frame.graphene
                switch layer.content {
                case .bitmap(let bitmap) where max(bitmap.width, bitmap.height) > Self.longest:
                    drawParts(bitmap, layer, on: snapshot, byProcessor: byProcessor)
                case .bitmap(let bitmap):
                    if let moving = live.video?.paintable(insteadOf: bitmap) {
                        draw(moving, in: layer.frame, on: snapshot)
                        break
                    }
                    guard let tiles = live.tiles, let whole = live.whole, tiles.base.identity == bitmap.identity else {
                        draw(bitmap, in: layer.frame, on: snapshot, byProcessor: byProcessor)
                        break
                    }
                    for piece in tiles.pieces(in: whole, scale: live.scale) {
                        draw(piece, on: snapshot, byProcessor: byProcessor)
                    }
                case .color(let color):
                    var rgba = color.gdk
                    gtk_snapshot_append_color(snapshot, &rgba, &frame)
                case .dot(let color):
                    var rgba = color.gdk
                    var circle = GskRoundedRect()
                    gsk_rounded_rect_init_from_rect(&circle, &frame, Float(layer.frame.width / 2))
                    gtk_snapshot_push_rounded_clip(snapshot, &circle)
                    gtk_snapshot_append_color(snapshot, &rgba, &frame)
                    gtk_snapshot_pop(snapshot)
                case .view: break
                }
                if layer.opacity < 1 { gtk_snapshot_pop(snapshot) }
                gtk_snapshot_pop(snapshot)
            }
            spare.removeAll(keepingCapacity: true)
        }

        private mutating func draw(_ piece: TileLayer.Piece, on snapshot: OpaquePointer, byProcessor: Bool) {
            if var clip = piece.clip?.graphene { gtk_snapshot_push_clip(snapshot, &clip) }
            draw(piece.bitmap, in: piece.frame, on: snapshot, byProcessor: byProcessor)
            if piece.clip != nil { gtk_snapshot_pop(snapshot) }
        }

        private mutating func draw(_ bitmap: Bitmap, in frame: LayoutRect, on snapshot: OpaquePointer, byProcessor: Bool) {
            let isBright = isBright(bitmap, byProcessor: byProcessor)
            let texture = texture(bitmap, isPacked: byProcessor, isBright: isBright) {
                if byProcessor, let packed = GTKTexture(packing: bitmap) { return packed }
                let all = PixelRect(x: 0, y: 0, width: bitmap.width, height: bitmap.height)
                return GTKTexture(bitmap, part: all, keepsLight: isBright)
            }
            var bounds = frame.graphene
            gtk_snapshot_append_texture(snapshot, texture.texture, &bounds)
        }

        private func draw(_ paintable: OpaquePointer, in frame: LayoutRect, on snapshot: OpaquePointer) {
            var origin = graphene_point_t(x: Float(frame.x), y: Float(frame.y))
            gtk_snapshot_save(snapshot)
            gtk_snapshot_translate(snapshot, &origin)
            gdk_paintable_snapshot(paintable, snapshot, frame.width, frame.height)
            gtk_snapshot_restore(snapshot)
        }

        /// Whether the image is drawn brighter than white.
        func isBright(_ bitmap: Bitmap, byProcessor: Bool) -> Bool {
            bitmap.dynamicRange.isHigh && !byProcessor && GannetToolkit.showsHighRange && managesColors()
        }

        private mutating func texture(
            _ bitmap: Bitmap, part: Int = 0, isPacked: Bool = false, isBright: Bool, make: () -> GTKTexture
        ) -> GTKTexture {
            let texture = SharedTextures.shared.texture(
                bitmap, part: part, isPacked: isPacked, isBright: isBright, make: make)
            textures.append(texture)
            return texture
        }

        /// Draws the visible parts.
        private mutating func drawParts(
            _ bitmap: Bitmap, _ layer: Scene.Layer, on snapshot: OpaquePointer, byProcessor: Bool
        ) {
            let isBright = isBright(bitmap, byProcessor: byProcessor)
            let (x, y) = (layer.frame.width / Double(bitmap.width), layer.frame.height / Double(bitmap.height))
            var number = 0
            for top in stride(from: 0, to: bitmap.height, by: Self.partSide) {
                for left in stride(from: 0, to: bitmap.width, by: Self.partSide) {
                    number += 1
                    let part = PixelRect(
                        x: left, y: top, width: min(Self.partSide, bitmap.width - left),
                        height: min(Self.partSide, bitmap.height - top))
                    let place = LayoutRect(
                        x: layer.frame.x + Double(left) * x, y: layer.frame.y + Double(top) * y, width: Double(part.width) * x,
                        height: Double(part.height) * y)
                    guard place.meets(layer.clip) else { continue }
                    let texture = texture(bitmap, part: number, isBright: isBright) {
                        GTKTexture(bitmap, part: part, keepsLight: isBright)
                    }
                    var frame = place.graphene
                    gtk_snapshot_append_texture(snapshot, texture.texture, &frame)
                }
            }
        }
    }

    extension LayoutRect {
        fileprivate func meets(_ other: LayoutRect) -> Bool {
            x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
        }

        var graphene: graphene_rect_t {
            graphene_rect_t(
                origin: graphene_point_t(x: Float(x), y: Float(y)),
                size: graphene_size_t(width: Float(width), height: Float(height)))
        }
    }

    extension PixelColor {
        var gdk: GdkRGBA {
            GdkRGBA(red: Float(red) / 255, green: Float(green) / 255, blue: Float(blue) / 255, alpha: Float(alpha) / 255)
        }
    }
#endif
