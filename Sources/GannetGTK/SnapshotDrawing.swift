#if GTK
    import CGTK
    import GannetCore
    import GannetPipeline

    /// Draws scenes with GTK's snapshots. Keeps the textures of what it drew last, so that a redraw uploads nothing.
    @GTKActor struct SnapshotDrawing {
        private var textures: [(bitmap: ObjectIdentifier, texture: GTKTexture)] = []
        private var spare: [(bitmap: ObjectIdentifier, texture: GTKTexture)] = []

        /// `byProcessor`: GTK paints the window without a graphics card.
        mutating func draw(_ scene: Scene, on snapshot: OpaquePointer, byProcessor: Bool) {
            swap(&textures, &spare)
            for layer in scene.layers {
                var clip = layer.clip.graphene
                gtk_snapshot_push_clip(snapshot, &clip)
                if layer.opacity < 1 { gtk_snapshot_push_opacity(snapshot, layer.opacity) }
                var frame = layer.frame.graphene
                switch layer.content {
                case .bitmap(let bitmap):
                    let texture =
                        spare.first { $0.bitmap == bitmap.identity }?.texture
                        ?? (byProcessor ? GTKTexture(packing: bitmap) : nil) ?? GTKTexture(bitmap)
                    textures.append((bitmap.identity, texture))
                    gtk_snapshot_append_texture(snapshot, texture.texture, &frame)
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
    }

    extension LayoutRect {
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
