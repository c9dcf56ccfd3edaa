import Gannet
import GannetViews
import ImageFormats
import Observation
import SwiftCrossUI

/// What a view says of its load, each time it is described.
struct DescribedLoad {
    var request: ImageRequest?
    var options = PresentationOptions()
    var priority: LoadPriority?
    var whenHidden = HiddenAction.lowerPriority
    var loader: (any ImageLoading)?
}

/// The load of one view, kept while the view is in the tree.
@MainActor package final class ImageModel {
    private var load: ImageLoad?
    private var isSeen = true
    private var isWaiting = false
    /// An observer waits for the next change of the phase.
    private var isObserved = false
    /// The image that was last made for SwiftCrossUI, and what it was made of: equal ones cost nothing.
    private var drawn: (bitmap: Bitmap, image: SwiftCrossUI.Image)?
    /// Describes the view anew.
    var onChange: (@MainActor () -> Void)?

    // Made anew with each description of the view, and dropped unless it is the first.
    nonisolated init() {}

    /// Loads what is described, if it is another image, and answers the phase.
    func phase(of described: DescribedLoad) -> GannetImagePhase {
        let load = load ?? begin(described)
        load.presenter.defaults.whenHidden = described.whenHidden
        load.priority = described.priority
        isWaiting = waits(described, load)
        if !isWaiting { load.load(described.request, options: described.options) }
        observe(load)
        return drawing(of: load.phase)
    }

    /// Says whether the view can be seen; true at first.
    package func setSeen(_ isSeen: Bool) {
        self.isSeen = isSeen
        load?.setVisible(isSeen)
        if isSeen, isWaiting { onChange?() }
    }

    /// A load that would be cancelled while the view is hidden does not begin before it is seen, unless its image is in memory.
    private func waits(_ described: DescribedLoad, _ load: ImageLoad) -> Bool {
        guard !isSeen, let request = described.request else { return false }
        guard described.whenHidden == .cancel || described.whenHidden == .release else { return false }
        return !load.presenter.loader.hasCachedImage(for: request)
    }

    private func begin(_ described: DescribedLoad) -> ImageLoad {
        let load = ImageLoad(loader: described.loader ?? ImageManager.shared)
        load.setVisible(isSeen)
        self.load = load
        return load
    }

    private func observe(_ load: ImageLoad) {
        guard !isObserved else { return }
        isObserved = true
        withObservationTracking {
            _ = load.phase
        } onChange: { [weak self] in
            // A toolkit edge: one hop to the main actor, because no call may be made from here; ends at once.
            Task { @MainActor in self?.phaseChanged() }
        }
    }

    private func phaseChanged() {
        isObserved = false
        onChange?()
    }

    private func drawing(of phase: ImagePhase) -> GannetImagePhase {
        let image = phase.image.map { drawable($0.bitmap) }
        if image == nil { drawn = nil }
        switch phase {
        case .empty: return .empty
        case .loading(let progress, _): return .loading(progress, preview: image)
        case .image: return image.map { .image($0) } ?? .empty
        case .failure(let error): return .failure(error) { [weak self] in self?.load?.retry() }
        }
    }

    private func drawable(_ bitmap: Bitmap) -> SwiftCrossUI.Image {
        if let drawn, drawn.bitmap.identity == bitmap.identity { return drawn.image }
        let image = SwiftCrossUI.Image(
            ImageFormats.Image<RGBA>(width: bitmap.width, height: bitmap.height, bytes: straightBytes(of: bitmap)))
        drawn = (bitmap, image)
        return image
    }
}
