#if SVG
    import CGannetShims
    import GannetCore
    import Glibc
    import Synchronization

    /// Processes that read and draw documents, started on demand and reused.
    ///
    /// librsvg crashes on some documents, and draws others for hours. Neither must affect the program.
    final class SVGWorkers: Sendable {
        static let shared = SVGWorkers()

        /// Idle processes that are kept; others end with their document.
        private static let kept = 2
        private let idle = Mutex<[SVGWorker]>([])

        /// Nil: none can be started here. Skips idle processes that have been killed, as the system does when memory runs out.
        func take() -> SVGWorker? {
            while let worker = idle.withLock({ $0.popLast() }) {
                if worker.waits { return worker }
            }
            return SVGWorker()
        }

        func giveBack(_ worker: SVGWorker) {
            guard worker.isGoodForMore else { return }
            idle.withLock { if $0.count < Self.kept { $0.append(worker) } }
        }
    }

    /// One process, for one document at a time; it ends with this value.
    ///
    /// Used by one thread at a time: the one that took it from ``SVGWorkers``.
    final class SVGWorker: @unchecked Sendable {
        private(set) var process = gannet_worker()
        private var documents = 0
        private var isBroken = false

        init?() {
            guard gannet_svg_worker_start(&process) == 0 else { return nil }
        }

        deinit { gannet_worker_end(&process) }

        /// The process is alive and has answered all requests.
        var waits: Bool { gannet_worker_waits(&process) != 0 }

        /// Libraries for text and filters leak a little memory with each document.
        var isGoodForMore: Bool { !isBroken && documents < 500 }

        /// Sends a document to the process, and returns librsvg's reply about it.
        func read(_ bytes: [UInt8], memory: Int, _ watch: DecodeWatch) throws(ImageError) -> gannet_svg_reply {
            documents += 1
            try resize(bytes.count)
            guard process.write(bytes) else { throw noMemory() }
            defer { release() }
            return try ask(
                gannet_svg_request(
                    kind: GANNET_SVG_READ, width: 0, height: 0, bytes: UInt64(bytes.count), memory: UInt64(memory)), watch)
        }

        /// Draws over the whole buffer: four bytes a pixel, premultiplied.
        func draw(into buffer: inout PixelBuffer, memory: Int, _ watch: DecodeWatch) throws(ImageError) -> gannet_svg_reply {
            let size = buffer.size
            let rowBytes = 4 * size.width
            try resize(rowBytes * size.height)
            defer { release() }
            let reply = try ask(
                gannet_svg_request(
                    kind: GANNET_SVG_DRAW, width: Int32(size.width), height: Int32(size.height),
                    bytes: UInt64(rowBytes * size.height), memory: UInt64(memory)), watch)
            guard reply.result == GANNET_SVG_OK else { return reply }
            // Read, not mapped: a compromised worker can truncate the file, and a mapping would then crash this process.
            let isWhole = buffer.withUnsafeRows { base, stride in
                for y in 0..<size.height {
                    var done = 0
                    while done < rowBytes {
                        let got = pread(process.memory, base + y * stride + done, rowBytes - done, off_t(y * rowBytes + done))
                        if got < 0, errno == EINTR { continue }
                        guard got > 0 else { return false }
                        done += got
                    }
                }
                return true
            }
            guard isWhole else { throw died() }
            return reply
        }

        private func ask(_ request: gannet_svg_request, _ watch: DecodeWatch) throws(ImageError) -> gannet_svg_reply {
            var request = request
            var reply = gannet_svg_reply()
            let watch = DecodeWatch(watch, process: process.pid)
            let stop = StopSign(watch)
            let result = withExtendedLifetime(stop) {
                gannet_svg_worker_ask(&process, &request, &reply, StopSign.ask, stop.context)
            }
            if result == GANNET_SVG_STOPPED {
                isBroken = true
                throw stop.error ?? .cancelled(stage: .decode)
            }
            if result == GANNET_SVG_DIED {
                let error = died()
                // It may have ended because its time was over.
                try watch.check()
                throw error
            }
            return reply
        }

        private func resize(_ bytes: Int) throws(ImageError) {
            guard ftruncate(process.memory, off_t(bytes)) == 0 else { throw noMemory() }
        }

        private func release() { _ = ftruncate(process.memory, 0) }

        private func died() -> ImageError {
            isBroken = true
            return ImageError(
                .limitExceeded, stage: .decode,
                "librsvg failed on the SVG: it needs more memory than it may have, or has something that librsvg cannot draw. Simplify the document, or ask for a smaller target size."
            )
        }

        private func noMemory() -> ImageError {
            isBroken = true
            return ImageError(
                .limitExceeded, stage: .decode, "The system has no memory left to draw the SVG; ask for a smaller target size.")
        }
    }
#endif
