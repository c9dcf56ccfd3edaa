#if CommandLine
    import Gannet
    import GannetCore
    import GannetImages
    import GannetSupport
    import GannetViews
    import Glibc

    /// Draws images on a terminal, one below the other. Blocking.
    struct Screen: Sendable {
        var terminal: Terminal
        var coders: CodersManager

        /// The box for images in pixels: one line stays free for the text below.
        static func box(of terminal: Terminal, columns: Int?, rows: Int?) -> TargetSize {
            let columns = columns ?? terminal.columns
            let rows = rows ?? max(terminal.rows - 2, 1)
            if terminal.graphics == .blocks { return .fit(columns, 2 * rows) }
            return .fit(columns * terminal.cell.width, rows * terminal.cell.height)
        }

        /// The number of terminal lines that an image covers.
        func lines(_ size: PixelSize) -> Int {
            let height = terminal.graphics == .blocks ? 2 : terminal.cell.height
            return (size.height + height - 1) / height
        }

        /// Shows a still, or the first frame of an animation.
        func show(_ image: DecodedImage) throws(ImageError) {
            Console.write(Array(try text(image.bitmap, image.metadata, number: Self.newNumber()).utf8))
        }

        /// Plays until a key is pressed, the animation ends, or `isCancelled`. The last frame stays.
        func play(_ animation: AnimatedImage, isCancelled: () -> Bool) throws(ImageError) {
            guard Console.outputIsTerminal, let keys = TerminalKeys() else { return try show(.animated(animation)) }
            let timeline = AnimationTimeline(animation)
            let number = Self.newNumber()
            Console.write(Array("\u{1B}[?25l".utf8))
            defer { Console.write(Array("\u{1B}[?25h".utf8)) }
            let start = ContinuousClock.now
            var shown: Int?
            while !isCancelled() {
                let position = timeline.position(at: ContinuousClock.now - start)
                if position.frame != shown {
                    let back = shown == nil ? "" : "\u{1B}[\(lines(animation.size))A\r"
                    let frame = try animation.blockingFrame(at: position.frame)
                    Console.write(Array((back + (try text(frame, animation.metadata, number: number))).utf8))
                    shown = position.frame
                }
                guard let end = position.end else { return }
                // A signal is noticed within a tenth of a second.
                let rest = Int(Readable.milliseconds(end - (ContinuousClock.now - start)).rounded(.up))
                if keys.wait(milliseconds: min(max(rest, 1), 100)) { return }
            }
        }

        private func text(_ bitmap: Bitmap, _ metadata: ImageMetadata, number: UInt32) throws(ImageError) -> String {
            let image = StraightImage(bitmap)
            let lines = lines(bitmap.size)
            switch terminal.graphics {
            case .auto, .blocks:
                return HalfBlocks(hasAllColors: terminal.hasAllColors).draw(image).joined(separator: "\n") + "\n"
            case .sixel: return Self.placed(Sixel.encode(image), lines: lines)
            case .kitty:
                let png = try? ImageEncoding(coders: coders).encode(
                    .still(bitmap, metadata), options: EncodeOptions(format: .png))
                let payload = png.map { KittyGraphics.Payload.png($0.bytes.contiguous()) } ?? .pixels(image)
                return Self.placed(KittyGraphics.encode(payload, number: number), lines: lines)
            }
        }

        /// Makes room first, so that an image at the bottom is not cut, and ends below it, wherever the terminal leaves the
        /// cursor.
        private static func placed(_ graphics: String, lines: Int) -> String {
            String(repeating: "\n", count: lines) + "\u{1B}[\(lines)A\u{1B}7" + graphics + "\u{1B}8\u{1B}[\(lines)B"
        }

        /// Avoids the numbers of images from other programs and of our own above.
        private static func newNumber() -> UInt32 { UInt32.random(in: 1 ... .max) }
    }
#endif
