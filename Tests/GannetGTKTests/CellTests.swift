#if GTK
    import CGTK
    import GannetViews
    import GannetCore
    import GannetGTK
    import GannetImages
    import GannetTesting
    import Synchronization
    import Testing

    /// Recycled cells in a real GtkGridView.
    @Suite(.enabled(if: GTKHarness.isAvailable, "no display: run under xvfb-run"), .serialized) struct CellTests {
        let loader = ManualLoader()

        /// A colour that says which position a picture is for.
        private func mark(_ position: Int) -> [Int] { [10 + position % 200, 10 + position / 200, 77, 255] }

        private func request(_ position: Int) -> ImageRequest { ImageRequest(source: .file("/\(position)")) }

        private func position(of load: ManualLoader.Load) -> Int? {
            guard case .file(let path) = load.request.source else { return nil }
            return Int(path.dropFirst())
        }

        @GTKActor private func scroller(_ child: GTKWidget) throws -> GTKWidget {
            let scroller = GTKWidget(try #require(gtk_scrolled_window_new()))
            gtk_scrolled_window_set_child(OpaquePointer(scroller.raw), child.raw.assumingMemoryBound(to: GtkWidget.self))
            return scroller
        }

        @GTKActor private func scroll(_ scroller: GTKWidget, to fraction: Double) {
            let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(scroller.raw))
            let room = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
            gtk_adjustment_set_value(adjustment, max(room, 0) * fraction)
        }

        @GTKActor private func cells(_ loader: ManualLoader, side: Int = 30) -> ImageCells {
            let cells = ImageCells(width: side, height: side) { request($0) }
            cells.loader = loader
            cells.onSetup = {
                $0.gannet.contentMode = .stretch
                $0.gannet.placeholder = color(blue)
            }
            return cells
        }

        // U-08, VW-16, VW-21
        @Test("300 random schedules of scrolling, answers and failures: no painted frame shows another position's picture")
        @GTKActor func randomRecycling() async throws {
            var random = SeededGenerator(seed: 9)
            let loader = ManualLoader(answersAfterCancelling: true)
            let cells = cells(loader, side: 60)
            var wrong = 0
            var painted = 0
            var right = 0
            let setup = cells.onSetup
            cells.onSetup = { view in
                setup?(view)
                let slot = view.gannet.images.slot(.main)
                slot.onDraw = { [weak cells, weak view, weak slot] in
                    guard let cells, let view, let slot else { return }
                    painted += 1
                    guard let bitmap = slot.presenter.image?.bitmap else { return }
                    let row = bitmap.row(0)
                    let shown = (0..<4).map { Int(row[$0]) }
                    let bound = cells.boundPositions.first { cells.view(at: $0) === view }
                    if let bound, shown == mark(bound) { right += 1 } else { wrong += 1 }
                }
            }
            let scroller = try scroller(cells.makeGridView(count: 2000, maximumColumns: 2))
            let window = try TestWindow(scroller, width: 130, height: 130)
            await window.frames(2)
            var (answered, late) = (0, 0)
            // At least this many steps; more if responses take longer than the list stands still.
            for step in 0..<6000 where step < 300 || right <= 60 || painted <= 200 {
                switch Int.random(in: 0..<10, using: &random) {
                case 0: scroll(scroller, to: Double.random(in: 0...1, using: &random))
                case 1: scroll(scroller, to: Double.random(in: 0...0.02, using: &random))
                default: break
                }
                // Late answers too: loads that were cancelled long ago.
                let loads = loader.loads
                for _ in 0..<Int.random(in: 0..<8, using: &random) {
                    let recent = Bool.random(using: &random) ? loads.suffix(8) : loads[...]
                    guard let load = recent.randomElement(using: &random), let position = position(of: load) else { continue }
                    if Int.random(in: 0..<10, using: &random) == 0 {
                        load.fail()
                    } else {
                        if load.succeed(try picture(mark(position))), load.isCancelled { late += 1 }
                    }
                    answered += 1
                }
                await window.frame()
            }
            #expect(wrong == 0)
            #expect(right > 60)
            #expect(painted > 200)
            #expect(answered > 300)
            #expect(late > 30)
            window.close()
        }

        @Test("a grid has as many columns as its width has room for, and no more than it may") @GTKActor
        func columns() async throws {
            for maximum in [nil, 5] {
                let cells = cells(loader)
                let grid = cells.makeGridView(count: 400, maximumColumns: maximum)
                func columns() -> Int { Int(gtk_grid_view_get_max_columns(OpaquePointer(grid.raw))) }
                let scroller = try scroller(grid)
                let window = try TestWindow(scroller, width: 130, height: 130)
                await window.until { columns() == 4 }
                #expect(columns() == 4)
                gtk_widget_set_size_request(scroller.raw.assumingMemoryBound(to: GtkWidget.self), 390, 130)
                await window.until { columns() == maximum ?? 13 }
                #expect(columns() == maximum ?? 13)
                // Nothing is called for a grid that has gone.
                window.setChild(nil)
                await window.frames(2)
                window.close()
            }
        }

        @Test("cells that scroll away cancel; only those on screen and near it load")  // VW-21
        @GTKActor func unbindingCancels() async throws {
            let cells = cells(loader)
            let scroller = try scroller(cells.makeGridView(count: 1000, maximumColumns: 4))
            let window = try TestWindow(scroller, width: 130, height: 130)
            await window.frames(3)
            // The first jump, far: lists of GTK 4.8 would stay empty.
            scroll(scroller, to: 0.6)
            await window.frames(4)
            #expect(cells.visiblePositions.lowerBound > 100)
            for step in 1...20 {
                scroll(scroller, to: Double(step) / 20)
                await window.frames(2)
                let running = Set(loader.loads.filter { !$0.isCancelled }.compactMap { position(of: $0) })
                let missing = Set(cells.visiblePositions).subtracting(running)
                #expect(missing.isEmpty && !cells.visiblePositions.isEmpty)
                // Half a page before and after; one page until started loads are cancelled.
                #expect(running.count <= cells.visiblePositions.count * 4, "far cells do not load")
                #expect(running.isSubset(of: cells.boundPositions))
            }
            #expect(loader.loads.allSatisfy { $0.request.decode.target == .size(.stretch(30, 30)) })
            window.close()
            let other = try TestWindow(nil)
            await other.until { loader.loads.allSatisfy(\.isCancelled) }
            #expect(loader.loads.allSatisfy { $0.isCancelled }, "a list that goes away takes its loads with it")
            other.close()
        }

        @Test("a load whose cell leaves the screen is less urgent, until it is seen again")  // VW-36
        @GTKActor func urgency() async throws {
            let cells = cells(loader)
            let scroller = try scroller(cells.makeGridView(count: 1000, maximumColumns: 4))
            let window = try TestWindow(scroller, width: 130, height: 130)
            await window.frames(3)
            scroll(scroller, to: 0.5)
            func running(_ positions: Range<Int>) -> [ManualLoader.Load] {
                loader.loads.filter { load in !load.isCancelled && position(of: load).map { positions.contains($0) } == true }
            }
            await window.until { cells.visiblePositions.lowerBound > 100 && !running(cells.visiblePositions).isEmpty }
            await window.frames(4)
            let seen = cells.visiblePositions
            let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(scroller.raw))
            let start = gtk_adjustment_get_value(adjustment)
            // By a row or two, so that the cells that leave are still near and load.
            gtk_adjustment_set_value(adjustment, start + 45)
            await window.until { cells.visiblePositions.lowerBound > seen.lowerBound }
            await window.frames(2)
            let left = running(seen.lowerBound..<cells.visiblePositions.lowerBound)
            #expect(!left.isEmpty && left.allSatisfy { $0.priorityChanges.last == .low })
            #expect(running(cells.visiblePositions).allSatisfy { $0.priorityChanges.last != .low })
            gtk_adjustment_set_value(adjustment, start)
            await window.until { left.allSatisfy { $0.priorityChanges.last == .normal } }
            #expect(left.allSatisfy { $0.priorityChanges.last == .normal && !$0.isCancelled })
            window.close()
        }

        @Test("pictures in memory are in the first frame of a cell that scrolls in")  // VW-22, U-08
        @GTKActor func memoryHits() async throws {
            for position in 0..<400 { loader.remember(try picture(mark(position)), for: request(position).source) }
            let cells = cells(loader)
            var flashes = 0
            let setup = cells.onSetup
            cells.onSetup = { view in
                setup?(view)
                let slot = view.gannet.images.slot(.main)
                slot.onDraw = { [weak slot] in if slot?.presenter.image == nil { flashes += 1 } }
            }
            let scroller = try scroller(cells.makeGridView(count: 400, maximumColumns: 4))
            let window = try TestWindow(scroller, width: 130, height: 130)
            for step in 0...20 {
                await window.frame()
                scroll(scroller, to: Double(step) / 20)
            }
            await window.frames(2)
            #expect(flashes == 0 && loader.loads.isEmpty)
            window.close()
        }

        // CG-18
        @Test("what comes next is asked for with the key of a cell; turning round asks the other way, and cancels")
        @GTKActor func prefetching() async throws {
            let cells = cells(loader)
            var asked: [ImageRequest] = []
            let given = Mutex<[ImageSource]>([])
            cells.prefetches(10) { request in
                asked.append(request)
                return { given.withLock { $0.append(request.source) } }
            }
            let scroller = try scroller(cells.makeGridView(count: 3000, maximumColumns: 4))
            let window = try TestWindow(scroller, width: 130, height: 130)
            await window.until { !asked.isEmpty }
            let last = try #require(cells.visiblePositions.last)
            #expect(asked.map(\.source) == (1...10).map { request(last + $0).source })
            #expect(asked.allSatisfy { $0.decode.target == .size(.stretch(30, 30)) })
            for step in 1...12 {
                scroll(scroller, to: Double(step) / 20)
                await window.frames(2)
            }
            #expect(cells.visiblePositions.lowerBound > 100)
            // Back by rows, as a wheel does.
            let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(scroller.raw))
            for _ in 0..<8 {
                gtk_adjustment_set_value(adjustment, gtk_adjustment_get_value(adjustment) - 40)
                await window.frames(2)
            }
            let first = try #require(cells.visiblePositions.first)
            #expect(first > 10)
            // Backwards now, and at least half of the window ahead of the visible part; loads that both plans want were not
            // restarted.
            var running = asked.map(\.source)
            for source in given.withLock({ $0 }) { running.remove(at: try #require(running.firstIndex(of: source))) }
            #expect(Set(running).count == running.count)
            #expect((1...5).allSatisfy { running.contains(request(first - $0).source) })
            let near = (first - 20)..<(first + 60)
            #expect(running.allSatisfy { source in near.contains { request($0).source == source } })
            window.close()
        }

        @Test("more positions, fewer, and others in their place") @GTKActor func changes() async throws {
            let cells = cells(loader)
            var activated: [Int] = []
            let list = cells.makeListView(count: 3) { activated.append($0) }
            let window = try TestWindow(try scroller(list), width: 130, height: 300)
            await window.frames(3)
            #expect(cells.boundPositions == [0, 1, 2])
            cells.setCount(5)
            await window.frames(2)
            #expect(cells.boundPositions == [0, 1, 2, 3, 4])
            let before = loader.loads.count
            cells.reload(1..<2)
            await window.frames(2)
            #expect(loader.loads.dropFirst(before).contains { position(of: $0) == 1 })
            cells.setCount(2)
            await window.frames(2)
            #expect(cells.boundPositions == [0, 1])
            gtk_widget_activate_action_variant(
                list.raw.assumingMemoryBound(to: GtkWidget.self), "list.activate-item", g_variant_new_uint32(1))
            #expect(activated == [1])
            window.close()
        }

        /// Each slot moved once for every new one before: this took minutes.
        @Test("a million positions more", .timeLimit(.minutes(10))) @GTKActor func manyMore() async throws {
            let cells = cells(loader)
            let list = cells.makeListView(count: 3)
            let window = try TestWindow(try scroller(list), width: 130, height: 300)
            await window.frames(3)
            cells.setCount(1_000_000)
            cells.reload(1..<900_000)
            await window.frames(2)
            #expect(cells.boundPositions.starts(with: [0, 1, 2, 3]))
            cells.setCount(2)
            await window.frames(2)
            #expect(cells.boundPositions == [0, 1])
            window.close()
        }

        @Test("a model of one's own that grows at its front: every cell is known, and loads") @GTKActor
        func insertionAtTheFront() async throws {
            let cells = cells(loader)
            var shown: [Int] = []
            cells.onResult = { position, result in if case .success = result { shown.append(position) } }
            let model = try #require(gtk_string_list_new(nil))
            for position in 0..<3 { gtk_string_list_append(model, "\(position)") }
            let list = GTKWidget(
                try #require(gtk_list_view_new(gtk_no_selection_new(model), OpaquePointer(g_object_ref(cells.factory)))))
            cells.follow(list)
            let window = try TestWindow(try scroller(list), width: 130, height: 300)
            await window.until { loader.loads.count == 3 }
            "new".withCString { string in
                var text: [UnsafePointer<CChar>?] = [string, nil]
                gtk_string_list_splice(model, 0, 0, &text)
            }
            // Whether a list rebinds moved items is up to the list.
            func running() -> [ManualLoader.Load] { loader.loads.filter { !$0.isCancelled } }
            await window.until { cells.boundPositions == [0, 1, 2, 3] && running().count == 4 }
            #expect(cells.boundPositions == [0, 1, 2, 3] && running().count == 4)
            for load in running() { try load.succeed(picture(mark(0))) }
            await window.until { shown.count == 4 }
            #expect(shown.sorted() == [0, 1, 2, 3])
            for position in 0..<4 { #expect(cells.view(at: position)?.gannet.image != nil) }
            window.close()
        }

        @Test("cells that are bound anew while the list is hidden load when it is seen again")  // VW-21
        @GTKActor func reloadWhileHidden() async throws {
            let cells = cells(loader)
            let grid = cells.makeGridView(count: 8, maximumColumns: 4)
            let stack = GTKWidget(try #require(gtk_stack_new()))
            let list = try scroller(grid).raw.assumingMemoryBound(to: GtkWidget.self)
            gtk_stack_add_named(OpaquePointer(stack.raw), list, "list")
            gtk_stack_add_named(OpaquePointer(stack.raw), gtk_label_new("other"), "other")
            let window = try TestWindow(stack, width: 130, height: 130)
            await window.until { loader.loads.count == 8 }
            gtk_stack_set_visible_child_name(OpaquePointer(stack.raw), "other")
            await window.frames(3)
            cells.reload(0..<8)
            await window.frames(3)
            gtk_stack_set_visible_child_name(OpaquePointer(stack.raw), "list")
            await window.frames(5)
            let running = loader.loads.filter { !$0.isCancelled }.compactMap { position(of: $0) }
            #expect(running.sorted() == Array(0..<8))
            window.close()
        }

        @Test("a column of a GtkColumnView: only cells in sight load, and GTK has nothing to complain of")
        @GTKActor func columnView() async throws {
            let cells = cells(loader)
            let model = try #require(gtk_string_list_new(nil))
            for position in 0..<200 { gtk_string_list_append(model, "\(position)") }
            let table = GTKWidget(try #require(gtk_column_view_new(gtk_no_selection_new(model))))
            let column = gtk_column_view_column_new("Picture", OpaquePointer(g_object_ref(cells.factory)))
            gtk_column_view_append_column(OpaquePointer(table.raw), column)
            g_object_unref(column.map { UnsafeMutableRawPointer($0) })
            cells.follow(table)
            let scroller = try scroller(table)
            let window = try TestWindow(scroller, width: 130, height: 130)
            await window.until { !loader.loads.isEmpty }
            await window.frames(3)
            #expect(cells.visiblePositions.lowerBound == 0 && cells.visiblePositions.count < 6 && loader.loads.count < 12)
            scroll(scroller, to: 0.5)
            await window.frames(4)
            let running = Set(loader.loads.filter { !$0.isCancelled }.compactMap { position(of: $0) })
            #expect(cells.visiblePositions.lowerBound > 50 && running.isSuperset(of: cells.visiblePositions))
            window.close()
        }

        @Test("a grid that another one replaces in its scroller holds nothing of the program's any more") @GTKActor
        func replaced() async throws {
            final class Album: Sendable {}
            weak var old: Album?
            func grid() -> GTKWidget {
                let album = Album()
                old = old ?? album
                let cells = ImageCells(width: 30, height: 30) { position in withExtendedLifetime(album) { request(position) } }
                cells.loader = loader
                return cells.makeGridView(count: 100)
            }
            let scroller = try scroller(grid())
            let window = try TestWindow(scroller, width: 130, height: 130)
            await window.frames(3)
            #expect(old != nil)
            weak let first = old
            old = nil
            gtk_scrolled_window_set_child(OpaquePointer(scroller.raw), grid().raw.assumingMemoryBound(to: GtkWidget.self))
            await window.until { first == nil }
            #expect(first == nil)
            window.close()
        }

        @Test("a grid that goes away leaves nothing behind") @GTKActor func noLeaks() async throws {
            var cells: ImageCells? = cells(loader)
            let grid = try #require(cells?.makeGridView(count: 100))
            let factory = Lifetime(try #require(cells?.factory))
            var lifetimes = [Lifetime(grid.raw), factory]
            cells?.onSetup = { lifetimes.append(Lifetime($0.widget.raw)) }
            let window = try TestWindow(try scroller(grid), width: 130, height: 130)
            await window.frames(3)
            #expect(lifetimes.count > 10)
            cells = nil
            window.close()
            let other = try TestWindow(nil)
            await other.until { lifetimes.allSatisfy(\.hasEnded) }
            #expect(lifetimes.filter { !$0.hasEnded }.isEmpty)
            other.close()
        }
    }
#endif
