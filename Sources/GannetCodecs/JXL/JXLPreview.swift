#if JXL
    import GannetCore

    /// The image as far as it has arrived: libjxl decodes the coarse parts, which come first, into a separate canvas.
    final class JXLPreview {
        private let handle: JXLHandle
        private var canvas: PixelBuffer
        private let reservation: ResourceBudget.Reservation
        private var shownBytes = 0
        private var hasTarget = false
        private var isOver = false

        /// Nil if the budget has no room for the canvas at the moment.
        init?(
            _ layout: PixelLayout, _ header: ImageHeader, _ file: JXLFile, isDeep: Bool, _ environment: DecodeEnvironment
        ) throws(ImageError) {
            guard let reservation = try environment.budget.reserve(layout.byteCount + JXLDecoder.workBytes(header, file)) else {
                return nil
            }
            self.reservation = reservation
            handle = try JXLHandle(.image, threads: environment.threads, isDeep: isDeep)
            canvas = try PixelBuffer(layout, pool: environment.pool)
            canvas.fill(0)
        }

        /// Copies the available pixels into `buffer`; false if no bytes have arrived since the last call, or nothing can be shown
        /// yet.
        func show(_ bytes: [UInt8], _ watch: DecodeWatch, into buffer: inout PixelBuffer) throws(ImageError) -> Bool {
            guard !isOver, bytes.count > shownBytes else { return false }
            try watch.check()
            do throws(ImageError) {
                guard try advance(bytes) else { return false }
            } catch {
                isOver = true
                return false
            }
            shownBytes = bytes.count
            let byteCount = canvas.layout.byteCount
            canvas.withUnsafeRows { source, _ in
                buffer.withUnsafeRows { target, _ in
                    UnsafeMutableRawPointer(target).copyMemory(from: source, byteCount: byteCount)
                }
            }
            return true
        }

        private func advance(_ bytes: [UInt8]) throws(ImageError) -> Bool {
            let handle = handle
            let byteCount = canvas.layout.byteCount
            var hasTarget = hasTarget
            let isShown = try canvas.withUnsafeRows { (base, _) throws(ImageError) in
                try bytes.withUnsafeBufferPointer { (all) throws(ImageError) in
                    while true {
                        switch try handle.advance(all) {
                        case .needsBuffer:
                            try handle.setTarget(base, byteCount: byteCount)
                            hasTarget = true
                        case .image, .finished:
                            isOver = true
                            return true
                        case .info, .colors, .frame: break
                        case .needsMoreData: return hasTarget && handle.flush()
                        }
                    }
                }
            }
            self.hasTarget = hasTarget
            return isShown
        }
    }
#endif
