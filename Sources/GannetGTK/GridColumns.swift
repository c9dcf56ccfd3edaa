#if GTK
    import CGTK

    /// Keeps the columns of a GtkGridView at what its width has room for. GTK makes about 30 rows of the most columns allowed,
    /// however few are visible: every column too many costs 30 cells.
    @GTKActor final class GridColumns {
        /// Points of a cell.
        private let cell: Int
        private let maximum: Int
        /// Nil once GTK has destroyed it. The adjustments that call this object may outlive it.
        private var grid: GTKWidget?
        private var isPending = false
        /// Before the width is known.
        private static let first = 8

        init(_ grid: GTKWidget, cell: Int, maximum: Int?) {
            self.grid = grid
            self.cell = max(cell, 1)
            self.maximum = maximum.map { max($0, 1) } ?? .max
            set(min(self.maximum, Self.first))
        }

        /// The grid's signals keep this object.
        func follow() {
            guard let grid else { return }
            grid.connect("destroy") { self.grid = nil }
            grid.whenScrollable { self.widthMayHaveChanged() }
        }

        private func widthMayHaveChanged() {
            guard !isPending, let fitting, fitting != current else { return }
            isPending = true
            // A toolkit edge: one hop to the actor of GTK; ends at once. GTK is laying out the grid.
            Task { @GTKActor in
                isPending = false
                if let fitting = self.fitting { set(fitting) }
            }
        }

        /// Columns that the present width has room for; nil before there is one.
        private var fitting: Int? {
            guard let grid else { return nil }
            let width = Int(gtk_widget_get_width(grid.widget))
            return width > 0 ? min(max(width / cell, 1), maximum) : nil
        }

        private var current: Int? { grid.map { Int(gtk_grid_view_get_max_columns(OpaquePointer($0.raw))) } }

        private func set(_ columns: Int) {
            if let grid { gtk_grid_view_set_max_columns(OpaquePointer(grid.raw), UInt32(clamping: columns)) }
        }
    }

    @GTKActor extension GTKWidget {
        /// Calls when a scrollable widget has been scrolled or has another size. Also after the widget has gone: its adjustments
        /// belong to the scroller.
        func whenScrollable(_ call: @escaping @GTKActor () -> Void) {
            for (property, get) in [
                ("notify::vadjustment", gtk_scrollable_get_vadjustment), ("notify::hadjustment", gtk_scrollable_get_hadjustment),
            ] {
                connectPointer(property) { [raw] _ in
                    guard let adjustment = get(OpaquePointer(raw)) else { return }
                    for signal in ["value-changed", "changed"] { GTKWidget(adjustment).connect(signal, call) }
                }
            }
        }
    }
#endif
