extension ImageSource {
    /// An image that the program itself makes: a drawing, a photograph of a camera, one that another library has decoded.
    ///
    /// It is asked for once by all loads that run at the same time, is kept in memory under `identifier`, which must change when the
    /// image does, and is made smaller and transformed like any other. Its thumbnails are encoded and stored on disk; the image
    /// itself is not: it has no bytes, and those of an encoder would be another image.
    ///
    /// - Parameter make: called once per load, off the caller's actor; cancelled with the load. - Nuke: ImageRequest(id:image:)
    public static func image(
        identifier: String, _ make: @Sendable @escaping () async throws -> DecodedImage
    ) -> ImageSource {
        .provider(ImageMaker(identifier: identifier, make: make))
    }
}

/// A provider of pixels. Its loader asks for those, and nothing for bytes.
package struct ImageMaker: ImageDataProvider {
    private let identifier: String
    package let make: @Sendable () async throws -> DecodedImage

    package init(identifier: String, make: @Sendable @escaping () async throws -> DecodedImage) {
        (self.identifier, self.make) = (identifier, make)
    }

    /// Other providers of this name are other sources.
    package var cacheKey: String { "image:" + identifier }

    package func data() async throws -> [UInt8] {
        throw ImageError(
            .unsupported, stage: .load,
            "The source makes an image and has no bytes. Ask for the image, or for a file of it: encoded(for:as:).")
    }
}
