#if HEIC
    import CHEIF
#endif
#if SVG || Lottie
    import CGannetShims
#endif
#if SVG
    import GannetCore
#endif

/// Files that libraries open when they are first used. A worker of the sandbox can open none, so they are loaded before.
package enum LateLoading {
    /// Loads the plugins of all libraries; starts no thread. Cost: 4 ms with libheif 1.23, whose decoders are plugins; 0.3 ms with
    /// rlottie.
    package static func loadPlugins() {
        #if HEIC
            // Plugins that fail to load are missing, which the first file that needs them reports.
            _ = heif_init(nil)
        #endif
        #if Lottie
            gannet_lottie_load_plugin()
        #endif
    }

    /// Loads what librsvg needs for any document, by drawing one. Cost: 25 ms, most of it for fonts.
    package static func prepareDocuments() {
        #if SVG
            gannet_svg_load_encodings()
            // A failure is ignored here: it returns with the first document, and is reported then.
            try? draw(document)
            gannet_svg_end_threads()
        #endif
    }

    #if SVG
        private static func draw(_ document: String) throws(ImageError) {
            let watch = DecodeWatch(.standard)
            let handle = try SVGHandle(Array(document.utf8), memory: .max, watch)
            var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 16, 16)))
            try handle.draw(into: &buffer, memory: .max, watch)
        }

        /// Text, also in Thai, whose words a dictionary separates; and a document and images inside. As far as librsvg does not read
        /// images itself, it loads a library for each format. The PNG and the JPEG have no pixels.
        private static let document = """
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="16" height="16"><text y="9">A\u{E01}</text>\
            <image width="8" height="8" xlink:href="data:image/svg+xml;base64,\
            PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSI4IiBoZWlnaHQ9IjgiPjxyZWN0IHdpZHRoPSI4IiBoZWlnaHQ9IjgiLz48L3N2Zz4="/>\
            <image width="1" height="1" xlink:href="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs="/>\
            <image width="1" height="1" xlink:href="data:image/webp;base64,UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="/>\
            <image width="1" height="1" xlink:href="data:image/png;base64,iVBORw0KGgo="/>\
            <image width="1" height="1" xlink:href="data:image/jpeg;base64,/9j/2Q=="/>\
            </svg>
            """
    #endif
}
