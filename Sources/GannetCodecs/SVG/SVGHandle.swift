#if SVG
    import CGannetShims
    import GannetCore

    /// The owner of one document that librsvg has read, in a separate process if possible.
    final class SVGHandle {
        private enum Place {
            case worker(SVGWorker)
            /// Freed by `deinit`; not shared.
            case here(OpaquePointer)
        }

        private let place: Place
        /// In CSS pixels, as the document states; 0 if it draws nothing.
        let width: Double
        let height: Double

        /// Throws `corrupt`, `cancelled` or `limitExceeded`. `memory`: bytes that reading may take, if they can be limited.
        init(_ bytes: [UInt8], memory: Int, _ watch: DecodeWatch) throws(ImageError) {
            try watch.check()
            if let worker = SVGWorkers.shared.take() {
                let reply = try worker.read(bytes, memory: memory, watch)
                guard reply.result == GANNET_SVG_OK else {
                    let error = Self.error(reply)
                    SVGWorkers.shared.giveBack(worker)
                    throw error
                }
                place = .worker(worker)
                (width, height) = (reply.width, reply.height)
                return
            }
            var result = GANNET_SVG_OK
            let made = bytes.withUnsafeBufferPointer { gannet_svg_new($0.baseAddress, $0.count, &result) }
            guard let made else { throw Self.noMemory }
            guard result == GANNET_SVG_OK else {
                let error = Self.error(result, String(cString: gannet_svg_message(made)))
                gannet_svg_free(made)
                throw error
            }
            place = .here(made)
            var size = (width: 0.0, height: 0.0)
            gannet_svg_size(made, &size.width, &size.height)
            (width, height) = size
        }

        deinit {
            switch place {
            case .worker(let worker): SVGWorkers.shared.giveBack(worker)
            case .here(let document): gannet_svg_free(document)
            }
        }

        /// Whether drawing always stops at its time limit. Otherwise, layers are finished first.
        var canBeStopped: Bool {
            if case .worker = place { true } else { false }
        }

        /// Draws over the whole buffer, premultiplied. Also throws `cancelled` and `limitExceeded` (time).
        func draw(into buffer: inout PixelBuffer, memory: Int, _ watch: DecodeWatch) throws(ImageError) {
            let stop = StopSign(watch)
            try stop.check()
            precondition(buffer.layout.format == .rgba8)
            switch place {
            case .worker(let worker):
                let reply = try worker.draw(into: &buffer, memory: memory, watch)
                guard reply.result == GANNET_SVG_OK else { throw Self.error(reply) }
            case .here(let document):
                let size = buffer.size
                let result = buffer.withUnsafeRows { base, stride in
                    gannet_svg_draw(
                        document, base, stride, Int32(size.width), Int32(size.height), StopSign.ask, stop.context)
                }
                if result == GANNET_SVG_STOPPED { throw stop.error ?? .cancelled(stage: .decode) }
                guard result == GANNET_SVG_OK else {
                    throw Self.error(result, String(cString: gannet_svg_message(document)))
                }
            }
            try stop.check()
        }

        private static func error(_ reply: gannet_svg_reply) -> ImageError {
            let words = withUnsafeBytes(of: reply.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            return error(reply.result, words)
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
