public import GannetCore
import GannetPlatform

extension ImageManager {
    /// The thumbnail of a local file from the folder that all programs of a user's desktop share (freedesktop.org's Thumbnail
    /// Managing Standard 0.9.0): that of a file manager, if it has made one of the file as it is now. Otherwise it is made, of the
    /// first frame or page, and stored there for the others.
    ///
    ///     let image = try await manager.desktopThumbnail(of: "/home/ada/Pictures/a.heic", pixels: 256)
    ///
    /// The folder is `$XDG_CACHE_HOME/thumbnails`, or `~/.cache/thumbnails`; a `.sh_thumbnails` beside the file is read too. The
    /// manager's disk cache has no part in it. A thumbnail costs 16 KB to 1 MB on disk, and nobody deletes it but the desktop.
    ///
    /// - Parameter pixels: the image fits into a square of so many pixels, at most 1024. 128, 256, 512 and 1024 are the sides that are
    ///   stored; other sizes are made of the next larger one. Smaller files are not enlarged.
    ///
    /// Throws `misuse` for other sizes, and what ``image(for:)`` throws. A thumbnail that cannot be stored is returned all the same.
    public func desktopThumbnail(of path: String, pixels: Int = 256) async throws(ImageError) -> DecodedImage {
        try await desktopThumbnail(of: path, pixels: pixels, in: .ofUser())
    }

    package func desktopThumbnail(
        of path: String, pixels: Int, in thumbnails: DesktopThumbnails?
    ) async throws(ImageError) -> DecodedImage {
        guard pixels > 0, let side = DesktopThumbnails.Side(atLeast: pixels) else {
            throw ImageError(
                .misuse, "A thumbnail of the desktop has 1 to 1024 pixels, not \(pixels). Load the image for others.")
        }
        guard let thumbnails else { return try await fitting(pixels, path).image }
        let (file, stored) = try await BlockingExecutor.files.run { () throws(ImageError) in
            let file = try thumbnails.file(path)
            return (file, thumbnails.holds(file) ? file.path : thumbnails.stored(for: file, atLeast: side))
        }
        // A damaged one is made anew.
        if let stored, let image = try? await fitting(pixels, stored).image { return image }
        try ImageError.checkCancellation()
        let made = try await fitting(side.rawValue, file.path)
        if stored != file.path { try? await store(made, as: side, of: file, in: thumbnails) }
        return side.rawValue == pixels ? made.image : try await fitting(pixels, file.path).image
    }

    private func fitting(_ pixels: Int, _ path: String) async throws(ImageError) -> LoadedImage {
        var request = ImageRequest(.file(path), .fit(pixels, pixels), .firstFrameOnly)
        (request.cache.read, request.cache.write) = (.memory, .memory)
        (request.cache.readOriginal, request.cache.writeOriginal) = (.none, .none)
        return try await image(for: request)
    }

    private func store(
        _ made: LoadedImage, as side: DesktopThumbnails.Side, of file: DesktopThumbnails.File, in thumbnails: DesktopThumbnails
    ) async throws(ImageError) {
        let png = try await encoded(made.image, EncodeOptions(format: .png)).bytes.contiguous()
        let original = made.image.metadata.originalSize
        let type = made.image.metadata.format?.mimeTypes.first
        try await BlockingExecutor.files.run { () throws(ImageError) in
            try thumbnails.store(png, of: file, side, original: original, type: type)
        }
    }
}
