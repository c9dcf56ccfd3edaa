// Round images as markers of a map (libshumate): what SDWebImage and Kingfisher do for annotation views. The map's tiles come from
// OpenStreetMap where there is a network; the markers do not need it.
//
//     swift run MapMarkers [--screenshot OUT.png]

import CShumate
import Gannet
import GannetGTK
import Glibc

/// Where gannets breed.
struct Colony {
    var name: String
    var latitude: Double
    var longitude: Double

    static let all = [
        Colony(name: "Bass Rock", latitude: 56.08, longitude: -2.64), Colony(name: "Helgoland", latitude: 54.18, longitude: 7.87),
        Colony(name: "Saltee Islands", latitude: 52.11, longitude: -6.61),
        Colony(name: "Rouzic", latitude: 48.9, longitude: -3.44),
        Colony(name: "Hermaness", latitude: 60.84, longitude: -0.88),
    ]
}

@main enum MapMarkers {
    // GTK wants a synchronous main.
    static func main() {
        let arguments = CommandLine.arguments
        let screenshot = arguments.count == 3 && arguments[1] == "--screenshot" ? arguments[2] : nil
        let works = GTKLoop.run {
            let map = ColonyMap()
            map.present()
            if let screenshot { Task { @GTKActor in await map.shoot(to: screenshot) } }
        }
        if !works { print("MapMarkers: there is no display") }
    }
}

private typealias Destroyed = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void

@GTKActor final class ColonyMap {
    private let window: GTKWidget
    private var markers: [GTKWidget] = []

    init() {
        guard let window = gtk_window_new(), let map = shumate_simple_map_new(),
            let viewport = shumate_simple_map_get_viewport(map)
        else { fatalError("GTK is not initialised") }
        self.window = GTKWidget(window)
        let windowPointer = UnsafeMutableRawPointer(window).assumingMemoryBound(to: GtkWindow.self)
        gtk_window_set_title(windowPointer, "Colonies")
        gtk_window_set_default_size(windowPointer, 900, 640)
        g_signal_connect_data(
            window, "destroy", unsafeBitCast({ _, _ in GTKLoop.quit() } as Destroyed, to: GCallback.self), nil, nil,
            GConnectFlags(rawValue: 0))
        gtk_window_set_child(windowPointer, UnsafeMutableRawPointer(map).assumingMemoryBound(to: GtkWidget.self))
        if let registry = shumate_map_source_registry_new_with_defaults(),
            let source = shumate_map_source_registry_get_by_id(registry, "osm-mapnik")
        {
            shumate_simple_map_set_map_source(map, source)
        }
        shumate_viewport_set_zoom_level(viewport, 5)
        shumate_location_set_location(viewport, 55.2, 0.5)
        guard let layer = shumate_marker_layer_new(viewport) else { return }
        shumate_simple_map_add_overlay_layer(map, UnsafeMutableRawPointer(layer).assumingMemoryBound(to: ShumateLayer.self))
        for (number, colony) in Colony.all.enumerated() { add(colony, number, to: layer) }
    }

    private func add(_ colony: Colony, _ number: Int, to layer: OpaquePointer) {
        guard let marker = shumate_marker_new() else { return }
        shumate_location_set_location(OpaquePointer(marker), colony.latitude, colony.longitude)
        // A GtkImage of the marker's size: the image is decoded for it, sharp on every screen.
        guard let image = gtk_image_new() else { return }
        gtk_image_set_pixel_size(OpaquePointer(image), 56)
        gtk_widget_set_tooltip_text(image, colony.name)
        shumate_marker_set_child(marker, image)
        let widget = GTKWidget(image)
        widget.gannet.indicator = .activity
        widget.gannet.transition = .fade
        var request = ImageRequest(source: .data(ByteRope(Portrait.file(number)), identifier: "colony-\(number)"))
        request.transform.transformers = [.circle(border: BorderStyle(width: 3, color: .white))]
        widget.gannet.setImage(with: request)
        markers.append(widget)
        shumate_marker_layer_add_marker(layer, marker)
    }

    func present() { gtk_window_present(window.raw.assumingMemoryBound(to: GtkWindow.self)) }

    func shoot(to path: String) async {
        do {
            while !markers.allSatisfy({ $0.gannet.image != nil }) { try await Task.sleep(for: .milliseconds(50)) }
            try await Task.sleep(for: .milliseconds(800))
            // Half as large, for a page.
            if let bitmap = try await window.captureNextFrame()?.resized(.fit(450, 320)) {
                let image = DecodedImage.still(bitmap, ImageMetadata(format: nil, originalSize: bitmap.size))
                try await image.write(to: path)
            }
        } catch { print("MapMarkers: \(error)") }
        GTKLoop.quit()
    }
}

/// Images drawn here, so that the example needs no network.
enum Portrait {
    /// A PNG of 256 × 256 pixels: sky, sea and a white bird's breast.
    static func file(_ number: Int) -> [UInt8] {
        do {
            let size = PixelSize(clamping: 256, 256)
            var buffer = try PixelBuffer(PixelLayout(size: size, alpha: .opaque))
            for y in 0..<256 {
                var row = buffer.mutableRow(y)
                for x in 0..<256 {
                    let (dx, dy) = (x - 128, y - 150 - number * 6)
                    let isBird = dx * dx + dy * dy < 4200
                    let sky: [UInt8] =
                        y < 170 ? [UInt8(120 + number * 20), 170, UInt8(230 - y / 4)] : [30, UInt8(90 + number * 15), 120]
                    let color: [UInt8] = isBird ? [245, 242, UInt8(235 - max(dy, 0))] : sky
                    for channel in 0..<3 { row[x * 4 + channel] = color[channel] }
                    row[x * 4 + 3] = 255
                }
            }
            let image = DecodedImage.still(buffer.freeze(), ImageMetadata(format: nil, originalSize: size))
            return try image.blockingEncoded(EncodeOptions(format: .png)).bytes.contiguous()
        } catch {
            print("MapMarkers: \(error)")
            exit(1)
        }
    }
}
