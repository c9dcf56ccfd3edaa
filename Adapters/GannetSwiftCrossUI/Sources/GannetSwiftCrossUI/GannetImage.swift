public import Gannet
public import GannetViews
public import SwiftCrossUI

/// An image that is loaded, and the views of its phases. - SwiftUI: AsyncImage
///
/// ```swift
/// GannetImage("https://example.org/gannet.jpg") { phase in
///     switch phase {
///     case .empty: EmptyView()
///     case .loading(_, let preview): preview?.resizable()
///     case .image(let image): image.resizable()
///     case .failure(let error, let retry): Button(error.message) { retry() }
///     }
/// }
/// .scaledToFill()
/// .frame(width: 240, height: 160)
/// ```
///
/// The load belongs to the view's place in the tree: it begins when the view is first described, a new source replaces it, and it ends
/// when the view goes. An image in memory is in the first layout. The methods of this type stand before those of `View`.
public struct GannetImage<Content: View>: View {
    private let content: @MainActor (GannetImagePhase) -> Content
    private var load: DescribedLoad
    private var place: (width: Int, height: Int)?
    private var fills = false
    @State package var model = ImageModel()
    @State private var changes = 0
    @Environment(\.windowScaleFactor) private var scale

    /// Nil shows the phase `empty`.
    public init(
        _ source: (some ImageSourceConvertible)?, @ViewBuilder content: @escaping @MainActor (GannetImagePhase) -> Content
    ) {
        self.init(source.map { ImageRequest($0) }, content: content)
    }

    /// The image of a request with its own size, transformers and cache policies.
    @_disfavoredOverload
    public init(_ request: ImageRequest?, @ViewBuilder content: @escaping @MainActor (GannetImagePhase) -> Content) {
        load = DescribedLoad(request: request)
        self.content = content
    }

    public var body: some View {
        content(phase).frame(width: place?.width, height: place?.height)
    }

    private var phase: GannetImagePhase {
        model.onChange = { changes += 1 }
        return model.phase(of: sized)
    }

    /// Decoded for the place, in pixels, unless the request has a size of its own.
    private var sized: DescribedLoad {
        guard let place, var request = load.request, request.decode.target == nil else { return load }
        let width = max(1, Int((Double(place.width) * scale).rounded(.up)))
        let height = max(1, Int((Double(place.height) * scale).rounded(.up)))
        request.decode.target = .size(fills ? .fill(width, height) : .fit(width, height))
        var load = load
        load.request = request
        return load
    }

    private func with(_ change: (inout GannetImage) -> Void) -> GannetImage {
        var copy = self
        change(&copy)
        return copy
    }
}

extension GannetImage where Content == GannetImageContent {
    /// Shows a spinner, then the image, or a button that tries again.
    public init(_ source: (some ImageSourceConvertible)?) {
        // A plain closure: the builder would wrap the one view.
        self.init(source) { return GannetImageContent(phase: $0) }
    }

    /// The image of a request with its own size, transformers and cache policies.
    @_disfavoredOverload
    public init(_ request: ImageRequest?) { self.init(request) { return GannetImageContent(phase: $0) } }
}

extension GannetImage {
    /// The size of the place, in points. The image is decoded for it.
    public func frame(width: Int, height: Int) -> GannetImage { with { $0.place = (width, height) } }

    /// Of an image in a ``frame(width:height:)``: it fills the place, and the excess is cut off evenly.
    public func scaledToFill() -> GannetImage { with { $0.fills = true } }

    /// Of an image in a ``frame(width:height:)``: as large as the place allows. The default.
    public func scaledToFit() -> GannetImage { with { $0.fills = false } }

    /// The priority of the loads.
    public func priority(_ priority: LoadPriority) -> GannetImage { with { $0.load.priority = priority } }

    /// The action for the load and the image when the view is out of sight; without this it is less urgent. The module
    /// `GannetSwiftCrossUIGtk` tells when it is. A view that leaves the tree ends its load in any case.
    public func whenHidden(_ action: HiddenAction) -> GannetImage { with { $0.load.whenHidden = action } }

    /// Cancels the load while the view is out of sight.
    public func cancelOnDisappear() -> GannetImage { whenHidden(.cancel) }

    /// The image stays until the next one comes.
    public func keepsCurrent() -> GannetImage { with { $0.load.options.keepsCurrent = true } }

    /// The manager that loads; without this `ImageManager.shared`. Counts when the view is first described.
    public func loader(_ loader: any ImageLoading) -> GannetImage { with { $0.load.loader = loader } }
}
