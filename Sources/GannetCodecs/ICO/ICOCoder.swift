#if ICO
    package import GannetCore

    /// ICO and CUR: icons and cursors of Windows, with bitmaps of every depth and with PNG inside (with the trait `PNG`).
    ///
    /// The image is the largest entry; among equal sizes, the one with the most bits. For a smaller target, the smallest entry
    /// that is large enough and has the same proportions is decoded: it was drawn for that size.
    package struct ICOCoder: OneFormatCoder, WorkerLoadable {
        /// Has no options; `EncodeOptions` has those for writing.
        package init() {}

        package static var format: ImageFormat { .ico }

        package func recognizes(_ head: Span<UInt8>) -> Recognition {
            let start: [UInt8] = [0, 0, 1, 0]
            for index in head.indices.prefix(4) where head[index] != start[index] {
                if index == 2, head[2] == 2 { continue }
                return .no
            }
            // Four bytes are a weak signature: the first entry's reserved byte and the entry count must fit too.
            guard head.count >= 10 else { return .needsMoreBytes(10) }
            return head[4] | head[5] != 0 && (head[9] == 0 || head[9] == 255) ? .yes(.ico) : .no
        }

        package func makeDecoder(_ options: ResolvedDecodeOptions, _ environment: DecodeEnvironment) -> any ImageDecoder {
            WholeFileDecoder<ICOFile>(options: options, environment: environment)
        }

        /// Icons are at most 256 pixels wide and high: larger images are shrunk. `embedsThumbnail` adds the sizes 48, 32 and
        /// 16.
        package func makeEncoder(_ options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? {
            var own = options
            let wanted = options.maximumPixelSize
            own.maximumPixelSize = PixelSize(clamping: min(wanted?.width ?? 256, 256), min(wanted?.height ?? 256, 256))
            let sizes = options.embedsThumbnail ? [48, 32, 16] : []
            return StillEncoder(own) { bitmap throws(ImageError) in try ICOWriter.write(bitmap, alsoAt: sizes) }
        }
    }
#endif
