#if SVG
    import CGannetShims
    import GannetCore

    /// Owner of one document that librsvg has read; the only file that touches its pointers.
    final class SVGHandle {
        private let document: OpaquePointer
        /// In CSS pixels, as the document states it; 0 if it draws nothing.
        let width: Double
        let height: Double

        /// Throws `corrupt` or `limitExceeded`.
        init(_ bytes: [UInt8]) throws(ImageError) {
            var result = GANNET_SVG_OK
            let made = bytes.withUnsafeBufferPointer { gannet_svg_new($0.baseAddress, $0.count, &result) }
            guard let made else { throw Self.noMemory }
            guard result == GANNET_SVG_OK else {
                let error = Self.error(result, String(cString: gannet_svg_message(made)))
                gannet_svg_free(made)
                throw error
            }
            document = made
            var size = (width: 0.0, height: 0.0)
            gannet_svg_size(made, &size.width, &size.height)
            (width, height) = size
        }

        deinit { gannet_svg_free(document) }

        /// Draws over the whole buffer, premultiplied. Also throws `cancelled` and `limitExceeded` (time).
        func draw(into buffer: inout PixelBuffer, _ watch: DecodeWatch) throws(ImageError) {
            let stop = StopSign(watch)
            try stop.check()
            precondition(buffer.layout.format == .rgba8)
            let size = buffer.size
            let result = buffer.withUnsafeRows { base, stride in
                gannet_svg_draw(
                    document, base, stride, Int32(size.width), Int32(size.height), StopSign.ask, stop.context)
            }
            if result == GANNET_SVG_STOPPED { throw stop.error ?? .cancelled(stage: .decode) }
            guard result == GANNET_SVG_OK else { throw Self.error(result, String(cString: gannet_svg_message(document))) }
            try stop.check()
        }

        private static func error(_ result: gannet_svg_result, _ words: String) -> ImageError {
            switch result {
            case GANNET_SVG_MEMORY: noMemory
            case GANNET_SVG_LIMIT:
                ImageError(
                    .limitExceeded, stage: .decode,
                    "The SVG goes beyond what librsvg draws: \(words). Simplify the document.")
            default: ImageError(.corrupt, stage: .decode, "The SVG is damaged: \(words). Fetch or save it again.")
            }
        }

        private static var noMemory: ImageError {
            ImageError(
                .limitExceeded, stage: .decode, "The system has no memory left to draw the SVG; ask for a smaller target size.")
        }
    }
#endif
