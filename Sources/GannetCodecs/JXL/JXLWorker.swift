#if JXL
    import CGannetShims
    import GannetCore
    import Glibc

    /// Decodes a file in another process before it is decoded in this one. That process can crash without harm, can be stopped,
    /// and only gets as much memory as the image is worth. For files whose frames have needs that ``JXLFrames`` cannot determine.
    ///
    /// The process ends with this value. Used by one thread at a time.
    final class JXLWorker {
        private var process = gannet_worker()

        /// Nil if no worker can be started: in a library that the program has loaded, or if the environment disables it.
        init?() throws(ImageError) {
            switch gannet_jxl_worker_start(&process) {
            case 0: break
            case ENOTSUP: return nil
            case let failure:
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "The JPEG XL file must be tried in a process of its own first, and none could be started: \(String(cString: strerror(failure)))."
                )
            }
        }

        deinit { gannet_worker_end(&process) }

        /// Returns if the first `frames` frames can be decoded, or are found damaged, within `memory` bytes and the time of
        /// `watch`.
        static func check(_ file: [UInt8], frames: Int, memory: Int, _ watch: DecodeWatch) throws(ImageError) {
            guard let worker = try JXLWorker() else { return }
            try worker.check(file, frames: frames, memory: memory, watch)
        }

        private func check(_ file: [UInt8], frames: Int, memory: Int, _ watch: DecodeWatch) throws(ImageError) {
            guard process.write(file) else {
                throw ImageError(.limitExceeded, stage: .decode, "The system has no memory left to decode the JPEG XL file.")
            }
            var request = gannet_jxl_request(
                bytes: UInt64(file.count), memory: UInt64(memory), frames: UInt32(clamping: frames))
            let watch = DecodeWatch(watch, process: process.pid)
            let stop = StopSign(watch)
            let result = withExtendedLifetime(stop) {
                gannet_jxl_worker_ask(&process, &request, StopSign.ask, stop.context)
            }
            switch result {
            case 0: return
            case 1: throw stop.error ?? .cancelled(stage: .decode)
            default:
                // It may have ended because its time was over.
                try watch.check()
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "The JPEG XL file has frames that need far more memory than an image of its size, or that libjxl fails on.")
            }
        }
    }
#endif
