@preconcurrency public import Adwaita
import GannetGTK

extension GannetImage {
    private static let field = "gannet-image"

    /// The storage of a new widget.
    public func container<Data>(data: WidgetData, type: Data.Type) -> ViewStorage where Data: ViewRenderData {
        let covers = Covers()
        describe(covers, data, type)
        let request = request
        let image = GTKActor.assumeIsolated {
            GannetGTK.GannetImage(request) { phase in covers.view(in: phase) }
        }
        let widget = GTKActor.assumeIsolated { image.widget }
        let storage = ViewStorage(OpaquePointer(widget.raw))
        storage.fields[Self.field] = Shown(image: image, covers: covers)
        apply(to: image)
        return storage
    }

    /// Shows what is described now; loads only if it is another image.
    public func update<Data>(
        _ storage: ViewStorage, data: WidgetData, updateProperties: Bool, type: Data.Type
    ) where Data: ViewRenderData {
        guard let shown = storage.fields[Self.field] as? Shown else { return }
        describe(shown.covers, data, type)
        if updateProperties { apply(to: shown.image) }
        shown.covers.update(updateProperties)
    }

    private func apply(to image: GannetGTK.GannetImage) {
        let (request, changes) = (request, changes)
        GTKActor.assumeIsolated {
            for change in changes { change(image) }
            image.show(request)
        }
    }

    private func describe<Data>(_ covers: Covers, _ data: WidgetData, _ type: Data.Type) where Data: ViewRenderData {
        let (content, hasRetryButton) = (content, hasRetryButton)
        covers.make = { phase in
            if hasRetryButton, phase.error != nil { return nil }
            let body = content(phase)
            // A condition that does not hold is a view too, which shows nothing.
            return body.isEmpty ? nil : body.storage(data: data, type: type)
        }
        covers.renew = { phase, storage, properties in
            content(phase).updateStorage(storage, data: data, updateProperties: properties, type: type)
        }
    }
}

/// What a storage keeps of its image.
private struct Shown {
    let image: GannetGTK.GannetImage
    let covers: Covers
}

/// The views over one image, as they are described now.
private final class Covers: @unchecked Sendable {
    // Unchecked: Adwaita for Swift describes views on GTK's thread alone, and says so nowhere in its types.
    var make: (ImagePhase) -> ViewStorage? = { _ in nil }
    var renew: (ImagePhase, ViewStorage, Bool) -> Void = { _, _, _ in }
    /// The newest one. It keeps the handlers of its widgets.
    private var current: (phase: ImagePhase, storage: ViewStorage)?

    @GTKActor func view(in phase: ImagePhase) -> GTKView? {
        current = make(phase).map { (phase, $0) }
        guard let pointer = current?.storage.opaquePointer else { return nil }
        let widget = GTKWidget(pointer)
        return GTKView { widget }
    }

    func update(_ properties: Bool) {
        if let (phase, storage) = current { renew(phase, storage, properties) }
    }
}
