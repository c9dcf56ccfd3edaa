public import FoundationEssentials

/// A type whose values name images: a `URL`, a text, an ``ImageSource``, or a type of your own, such as a row of a database.
///
///     extension Bird: ImageSourceConvertible {
///         var imageSource: ImageSource { .url(photographs.appending(path: "\(id).jpg")) }
///     }
///     let image = try await manager.image(for: bird, .fit(400, 300))
///
/// - Kingfisher: Resource - Coil: Mapper
public protocol ImageSourceConvertible {
    /// Asked each time that the value is used, on the caller's thread; equal values should have equal sources.
    var imageSource: ImageSource { get }
}

extension ImageSource: ImageSourceConvertible {
    @inlinable public var imageSource: ImageSource { self }
}

extension URL: ImageSourceConvertible {
    /// A `file:` URL of this machine becomes its path.
    public var imageSource: ImageSource { ImageSource(self) }
}

extension String: ImageSourceConvertible {
    /// A URL if it has a scheme, else a path.
    public var imageSource: ImageSource { ImageSource(self) }
}

// So that `.file("/a.jpg")` can be written where any convertible value may stand.
extension ImageSourceConvertible where Self == ImageSource {
    /// Absolute path.
    @_disfavoredOverload public static func file(_ path: String) -> ImageSource { ImageSource.file(path) }
    /// Any scheme that a loader knows.
    @_disfavoredOverload public static func url(_ url: URL) -> ImageSource { ImageSource.url(url) }
    /// Bytes in memory; the identifier must change when they do.
    @_disfavoredOverload public static func data(_ bytes: ByteRope, identifier: String) -> ImageSource {
        ImageSource.data(bytes, identifier: identifier)
    }
    /// The same for an array, which becomes one chunk without a copy.
    @_disfavoredOverload public static func data(_ bytes: [UInt8], identifier: String) -> ImageSource {
        ImageSource.data(ByteRope(bytes), identifier: identifier)
    }
    /// The same for Foundation's `Data`, which is copied.
    @_disfavoredOverload public static func data(_ data: Data, identifier: String) -> ImageSource {
        ImageSource.data(ByteRope(data), identifier: identifier)
    }
    /// The user's own bytes.
    @_disfavoredOverload public static func provider(_ provider: any ImageDataProvider) -> ImageSource {
        ImageSource.provider(provider)
    }
    /// An image that the program itself makes.
    @_disfavoredOverload public static func image(
        identifier: String, _ make: @Sendable @escaping () async throws -> DecodedImage
    ) -> ImageSource { ImageSource.image(identifier: identifier, make) }
}
