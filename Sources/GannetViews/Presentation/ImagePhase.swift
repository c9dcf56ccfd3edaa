public import GannetCore
public import GannetImages

/// The state of one image, as it is to be shown.
public enum ImagePhase: Sendable {
    /// Nothing is to be loaded, the load was cancelled, or the view has no size yet.
    case empty
    /// A load runs. `preview` is shown until its end: a preview of it, another size, the stored image, or the image before it.
    case loading(LoadProgress, preview: DecodedImage?)
    /// The image is there, and no load runs. Of a stored image that could not be refreshed too: it is better than none.
    case image(DecodedImage)
    /// The load failed, and there is no whole image.
    case failure(ImageError)

    /// The image or its preview.
    public var image: DecodedImage? {
        switch self {
        case .empty, .failure: nil
        case .loading(_, let preview): preview
        case .image(let image): image
        }
    }

    /// Why there is no image; nil unless a load failed.
    public var error: ImageError? { if case .failure(let error) = self { error } else { nil } }

    /// Of the running load; nil while none runs.
    public var progress: LoadProgress? { if case .loading(let progress, _) = self { progress } else { nil } }

    /// True while a load runs.
    public var isLoading: Bool { progress != nil }

    /// The same for all progress of a load.
    package var withoutProgress: ImagePhase {
        guard case .loading(_, let preview) = self else { return self }
        return .loading(LoadProgress(), preview: preview)
    }
}

extension ImagePhase: Equatable {
    /// Images are equal if they are the same instance, and errors if they say the same.
    public static func == (left: ImagePhase, right: ImagePhase) -> Bool {
        switch (left, right) {
        case (.empty, .empty): true
        case (.loading(let one, let preview), .loading(let other, let otherPreview)):
            one == other && isSame(preview, otherPreview)
        case (.image(let one), .image(let other)): one.isSame(as: other)
        case (.failure(let one), .failure(let other)):
            one.code == other.code && one.message == other.message && one.source == other.source
        default: false
        }
    }

    private static func isSame(_ one: DecodedImage?, _ other: DecodedImage?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.isSame(as: other)
    }
}

extension DecodedImage {
    /// True for the same instance, not for one that looks like it.
    func isSame(as other: DecodedImage) -> Bool {
        switch (self, other) {
        case (.animated(let one), .animated(let other)): one === other
        case (.still(let one, _), .still(let other, _)): one.identity == other.identity
        default: false
        }
    }
}
