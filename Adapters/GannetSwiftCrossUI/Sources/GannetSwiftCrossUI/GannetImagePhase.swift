public import Gannet
public import SwiftCrossUI

/// The state of an image, with what SwiftCrossUI draws of it. - SwiftUI: AsyncImagePhase
public enum GannetImagePhase: Sendable {
    /// Nothing is to be loaded, or the load was cancelled.
    case empty
    /// A load runs. The preview is what has arrived of the image, another size from memory, or the stored image that is being refreshed.
    case loading(LoadProgress, preview: Image?)
    /// The image is there. Of an animation, its first frame.
    case image(Image)
    /// The load failed. `retry` begins it again.
    case failure(ImageError, retry: @MainActor @Sendable () -> Void)

    /// The image or its preview.
    public var image: Image? {
        switch self {
        case .empty, .failure: nil
        case .loading(_, let preview): preview
        case .image(let image): image
        }
    }
}

/// What a ``GannetImage`` without a closure shows: a spinner, the image with its proportions, or a button that tries again.
public struct GannetImageContent: View {
    let phase: GannetImagePhase

    public var body: some View {
        switch phase {
        case .empty: EmptyView()
        case .loading(_, preview: nil): ProgressView()
        case .loading(_, preview: .some(let image)), .image(let image): image.resizable().aspectRatio(contentMode: .fit)
        case .failure(_, let retry): Button("Try again") { retry() }
        }
    }
}
