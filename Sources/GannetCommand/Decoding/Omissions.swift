#if CommandLine
    import GannetCodecs
    import GannetCore

    /// The parts of a file that this build does not draw.
    enum Omissions {
        /// Names of elements; empty for all formats but SVG.
        static func of(_ bytes: ByteRope, _ format: ImageFormat?) -> [String] {
            #if SVG
                if format == .svg { return SVGOmissions.elements(in: bytes) }
            #endif
            return []
        }
    }
#endif
