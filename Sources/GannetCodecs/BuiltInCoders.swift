public import GannetCore

/// The coders that this build has, by its traits.
public enum BuiltInCoders {
    /// In the order they are to be registered: the last one is asked first.
    public static var all: [any ImageCoder] {
        var coders: [any ImageCoder] = []
        // Short or weak signatures first: they are asked last.
        #if PNM
            coders.append(PNMCoder())
        #endif
        #if Video
            // Its containers are those of pictures too, whose own coders are asked before.
            coders.append(VideoCoder())
        #endif
        #if QOI
            coders.append(QOICoder())
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

    #if ColorManagement
        /// One for the whole program, so that its conversions are made once. Nil: built without the trait `ColorManagement`.
        public static let colorManager: (any ColorManager)? = LCMSColorManager()
    #else
        /// Nil: built without the trait `ColorManagement`.
        public static let colorManager: (any ColorManager)? = nil
    #endif
}
