#if Server
    import GannetCore
    import GannetImages

    /// The image that is made of a source: the parsed options of an address and its presets.
    struct ProcessingOptions: Hashable, Sendable {
        // MARK: The size

        /// The box before ``pixelRatio`` and zoom; nil: as the other side has it.
        var width: Int?
        var height: Int?
        var mode = ResizingType.fit
        var gravity = Gravity.center
        var enlarges = false
        /// 0.1 … 8.
        var pixelRatio = 1.0
        /// Multiplies the size alone, and not offsets and padding.
        var zoomX = 1.0
        var zoomY = 1.0
        /// The image is enlarged until it has them, before ``pixelRatio``.
        var minimumWidth: Int?
        var minimumHeight: Int?
        /// Larger results are made smaller, if the service itself does not make them smaller still.
        var maximumSide: Int?

        /// In place of all other options that change pixels.
        var iiif: IIIFOptions?

        // MARK: The part and its surroundings

        /// Turned by the orientation that the source names.
        var isUpright = true
        /// Edges of one colour are cut off; nil: they stay.
        var trim: TrimTransformer?
        /// Clockwise, after trimming and before everything else: 0, 90, 180 or 270 degrees.
        var rotation = 0
        /// After that.
        var flipsHorizontally = false
        var flipsVertically = false
        /// Kept of the source before resizing; nil: all of it.
        var crop: Crop?
        /// The canvas has the whole box, where the image is smaller.
        var extended: Gravity?
        /// The canvas has the proportions of the box.
        var extendedRatio: Gravity?
        /// Around the image, before ``pixelRatio``.
        var padding = Padding()

        // MARK: The pixels

        /// The thumbnail inside of the source is used instead of its image, where there is one.
        var usesThumbnail = false
        /// The frame or page of a still image, from 0.
        var page = 0
        /// All frames of an animation; nil: as ``maximumFrames`` says.
        var animates: Bool?
        /// Further frames are left out.
        var maximumFrames: Int?
        /// Done in their order, after resizing.
        private(set) var changes: [Change] = []
        /// In place of transparency: 0xRRGGBB.
        var background: UInt32?
        var watermark: Watermark?
        /// An image, or text, in place of the operator's watermark.
        var watermarkURL: String?
        var watermarkText: String?
        /// Of a video, in seconds from its start.
        var videoSecond: Int?
        /// 16 bits of a channel stay where format and changes allow it.
        var keepsDepth = false
        /// No address says it: the operator does for all.
        var usesLinearLight = false
        /// The same.
        var toneMapping = ToneMapping.bt2390

        // MARK: The file

        /// Nil: by what the client accepts.
        var format: ImageFormat?
        /// The smallest file of those that the client accepts, in place of the first.
        var isBest = false
        /// 0 … 100.
        var quality: Int?
        var qualityOfFormat: [ImageFormat: Int] = [:]
        /// The quality is found by what it does to the image, in formats that have one.
        var qualityTarget: QualityTarget?
        /// The response's bytes at most.
        var maximumBytes: Int?
        /// EXIF and XMP of the source are written too.
        var keepsMetadata = false
        /// Of the source's EXIF at least who made it, and whose it is.
        var keepsCopyright = false
        /// Sources of these formats are sent as they are, if no other format is requested.
        var unprocessed: Set<ImageFormat> = []
        /// Sends the source's own bytes.
        var isRaw = false
        /// The name under which browsers save the response.
        var fileName: String?
        var isAttachment = false
        /// Of an image in place of a source that fails.
        var fallbackURL: String?
        /// Only makes another address of it.
        var cacheBuster = ""

        // MARK: Limits of the source, below those of the service

        var maximumPixels: Int?
        var maximumFileBytes: Int?
        /// Of one frame of an animation.
        var maximumFramePixels: Int?

        /// How the image is fitted to the box.
        enum ResizingType: String, Hashable, Sendable {
            case fit, fill, auto
            /// `fill`, and of an image that is smaller than the box a part with the proportions of the box.
            case fillDown = "fill-down"
            /// Proportions change.
            case stretch = "force"
        }

        /// The part of the source that is kept: below 1 a fraction of the side, 0 all of it, from 1 on pixels.
        struct Crop: Hashable, Sendable {
            var width: Double
            var height: Double
            /// Nil: that of the image.
            var gravity: Gravity?

            func size(in whole: PixelSize) -> PixelSize {
                PixelSize(clamping: Self.side(width, of: whole.width), Self.side(height, of: whole.height))
            }

            private static func side(_ wanted: Double, of side: Int) -> Int {
                if wanted == 0 { return side }
                let pixels = wanted < 1 ? (wanted * Double(side)).rounded() : wanted.rounded()
                return Int(min(max(pixels, 1), Double(side)))
            }
        }

        struct Padding: Hashable, Sendable {
            var top = 0
            var right = 0
            var bottom = 0
            var left = 0

            var horizontal: Int { left + right }
            var vertical: Int { top + bottom }
        }

        /// A change of pixels.
        struct Change: Hashable, Sendable {
            /// The option that requests it; an option has one value. Nil: `transform`, which may be repeated.
            var option: String?
            /// As `StandardTransformer` reads it.
            var text: String

            /// imgproxy's order, whatever that of the address is: colours, blur, sharpen, pixelate. `transform` follows.
            fileprivate var rank: Int {
                switch option {
                case "blur": 1
                case "sharpen": 2
                case "pixelate": 3
                case nil: 4
                default: 0
                }
            }
        }

        /// Where the operator's watermark goes.
        struct Watermark: Hashable, Sendable {
            /// 0 … 1.
            var opacity: Double
            /// Its offsets are the space between tiles, where there are several.
            var gravity = Gravity.center
            /// Fills the image with copies of it, one of which is in the middle.
            var isRepeated = false
            /// Of the image's sides; 0: unscaled.
            var scale = 0.0
        }

        /// Replaces an earlier value of the option. Nil: no change.
        mutating func change(_ option: String, to text: String?) {
            changes.removeAll { $0.option == option }
            guard let text else { return }
            let change = Change(option: option, text: text)
            changes.insert(change, at: changes.firstIndex { $0.rank > change.rank } ?? changes.endIndex)
        }

        /// In addition to those before.
        mutating func transform(_ text: String) { changes.append(Change(text: text)) }
    }
#endif
