public import GannetCore

/// The coders of this build, by its traits.
public enum BuiltInCoders {
    /// The coders of this build in the order of registration: the last one is tried first.
    public static var all: [any ImageCoder] {
        var coders: [any ImageCoder] = []
        // Short or weak signatures come first: they are tried last.
        #if PDF
            // Its mark may stand behind other bytes.
            coders.append(PDFCoder())
        #endif
        #if PNM
            coders.append(PNMCoder())
        #endif
        #if PFM
            coders.append(PFMCoder())
        #endif
        #if Video
            // Its containers are shared with image formats, whose coders are tried before.
            coders.append(VideoCoder())
        #endif
        #if QOI
            coders.append(QOICoder())
        #endif
        #if Radiance
            coders.append(RadianceCoder())
        #endif
        #if ICO
            coders.append(ICOCoder())
        #endif
        #if HEIC
            coders.append(HEICCoder())
        #endif
        #if AVIF
            coders.append(AVIFCoder())
        #endif
        #if SVG
            coders.append(SVGCoder())
        #endif
        #if TIFF
            coders.append(TIFFCoder())
        #endif
        #if RAW
            // Most raw files are TIFF files by their first bytes: its coder is tried after this one.
            coders.append(RAWCoder())
        #endif
        #if Lottie
            coders.append(LottieCoder())
        #endif
        #if JP2
            coders.append(JP2Coder())
        #endif
        #if JXL
            coders.append(JXLCoder())
        #endif
        #if BMP
            coders.append(BMPCoder())
        #endif
        #if GIF
            coders.append(GIFCoder())
        #endif
        #if WebP
            coders.append(WebPCoder())
        #endif
        #if PNG
            coders.append(PNGCoder())
        #endif
        #if JPEG
            coders.append(JPEGCoder())
        #endif
        return coders
    }

    /// The coder that reads and writes `format`, for `decode.coder` or a list of your own. Nil: this build has none.
    public static func coder(for format: ImageFormat) -> (any ImageCoder)? { all.last { $0.formats.contains(format) } }

    #if GIF
        /// GIF. Without dithering (error diffusion), images of more than 256 colours become smaller files, with bands in gradients.
        public static func gif(dithers: Bool) -> any ImageCoder { GIFCoder(dithers: dithers) }
    #endif

    #if ColorManagement
        /// Like ``colorManager``, with a separate store of conversions: the last `capacity` of them, because preparing a profile
        /// with tables takes up to 20 ms.
        public static func colorManager(capacity: Int) -> any ColorManager { LCMSColorManager(capacity: capacity) }

        /// Shared by the whole program, so that conversions are created once. Nil: built without the trait `ColorManagement`.
        public static let colorManager: (any ColorManager)? = LCMSColorManager()
    #else
        /// Nil: built without the trait `ColorManagement`.
        public static let colorManager: (any ColorManager)? = nil
    #endif
}
