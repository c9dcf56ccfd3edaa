#if Lottie
    import CGannetShims
    import GannetCore

    /// The owner of an animation that rlottie has read; the only file that uses its pointers.
    final class LottieDrawing {
        /// Freed by `deinit`; not shared.
        private let animation: OpaquePointer

        /// `text` ends with a zero, and is read during the call only. Throws `corrupt`: the text is JSON, and rlottie makes nothing of it.
        init(_ text: [UInt8]) throws(ImageError) {
            let opened = text.withUnsafeBytes { text in
                text.baseAddress.flatMap { gannet_lottie_open($0.assumingMemoryBound(to: CChar.self)) }
            }
            guard let opened else {
                throw ImageError(
                    .corrupt, stage: .decode,
                    "The Lottie animation is damaged: rlottie does not read its layers. Export it again, for players of version 5."
                )
            }
            animation = opened
        }

        deinit { gannet_lottie_free(animation) }

        /// Draws over the whole buffer, premultiplied.
        func draw(_ index: Int, into buffer: inout PixelBuffer) {
            precondition(buffer.layout.format == .rgba8)
            let size = buffer.size
            buffer.withUnsafeRows { base, stride in
                gannet_lottie_draw(animation, index, base, stride, UInt32(size.width), UInt32(size.height))
            }
        }
    }
#endif
