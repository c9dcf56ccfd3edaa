import CGtk
public import GannetSwiftCrossUI
import Gtk
import GtkBackend
public import SwiftCrossUI

extension GannetImage {
    /// Tells the load whether the view can be seen: in a `ScrollView` of GtkBackend, what is more than half a page away counts as hidden,
    /// and loads and keeps its image as ``GannetImage/whenHidden(_:)`` says. SwiftCrossUI makes all rows of a list at once, so that
    /// without this all their loads are equally urgent. The last in a row of methods.
    public func followsScrolling() -> some View {
        let model = model
        // Until the first layout: making all rows takes long enough to load them all.
        model.setSeen(false)
        // In a stack, because `inspect` takes the place of the view that it is asked of, with its state.
        return VStack { self }.inspect(.onCreate) { widget in
            ScrollSight.watch(widget.widgetPointer) { [weak model] in model?.setSeen($0) }
        }
    }
}
