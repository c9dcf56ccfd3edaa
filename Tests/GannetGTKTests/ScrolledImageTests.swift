#if GTK
    import CGTK
    import GannetCore
    import GannetGTK
    import GannetImages
    import GannetTesting
    import GannetViews
    import Testing

    /// Described images in a GtkScrolledWindow, whose rows are all mapped at once.
    @Suite(.enabled(if: GTKHarness.isAvailable, "no display: run under xvfb-run"), .serialized) struct ScrolledImageTests {
        /// 40 images of 60 × 60 points below each other, in a page of 120; with its vertical adjustment.
        @GTKActor private final class Wall {
            let loader = ManualLoader()
            let images: [GannetImage]
            let window: TestWindow
            private let adjustment: UnsafeMutablePointer<GtkAdjustment>

            init(_ action: HiddenAction) throws {
                let scroller = try #require(gtk_scrolled_window_new())
                let box = try #require(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
                let loader = loader
                images = (0..<40).map { number in
                    GannetImage(ImageRequest(.file("/\(number)"), .fit(4, 4))).loader(loader)
                        .frame(width: 60, height: 60).onDisappear(action)
                }
                for image in images {
                    gtk_box_append(
                        UnsafeMutableRawPointer(box).assumingMemoryBound(to: GtkBox.self),
                        image.widget.raw.assumingMemoryBound(to: GtkWidget.self))
                }
                gtk_scrolled_window_set_child(OpaquePointer(scroller), box)
                adjustment = try #require(gtk_scrolled_window_get_vadjustment(OpaquePointer(scroller)))
                window = try TestWindow(GTKWidget(scroller), width: 60, height: 120)
            }

            func scroll(to points: Double) { gtk_adjustment_set_value(adjustment, points) }

            /// The numbers of the images whose loads run.
            var running: [Int] {
                loader.loads.filter { !$0.isCancelled }.compactMap { Int($0.request.source.description.drop { !$0.isNumber }) }
                    .sorted()
            }

            /// The last priority of an image's load.
            func priority(_ number: Int) -> LoadPriority? {
                let load = loader.loads.last { $0.request.source == .file("/\(number)") }
                return load.map { $0.priorityChanges.last ?? $0.request.schedule.priority ?? .normal }
            }
        }

        // VW-36
        @Test("what is more than half a page away does not load, and what comes near begins")
        @GTKActor func cancelled() async throws {
            let wall = try Wall(.cancel)
            await wall.window.until { wall.running == [0, 1, 2] }
            #expect(wall.running == [0, 1, 2])
            wall.scroll(to: 1200)
            await wall.window.until { wall.running == [19, 20, 21, 22] }
            #expect(wall.running == [19, 20, 21, 22])
            wall.scroll(to: 0)
            await wall.window.until { wall.running == [0, 1, 2] }
            #expect(wall.running == [0, 1, 2])
            wall.window.close()
        }

        // VW-36
        @Test("by default all load, and those that are away are less urgent until they come near")
        @GTKActor func lessUrgent() async throws {
            let wall = try Wall(.lowerPriority)
            await wall.window.until { wall.priority(39) == .low }
            let first = (0..<40).map { wall.priority($0) }
            #expect(first == Array(repeating: .normal, count: 3) + Array(repeating: .low, count: 37))
            wall.scroll(to: 1200)
            await wall.window.until { wall.priority(20) == .normal && wall.priority(0) == .low }
            #expect((19...22).allSatisfy { wall.priority($0) == .normal } && wall.priority(0) == .low)
            #expect(wall.loader.loads.count == 40)
            wall.window.close()
        }

        // VW-36
        @Test("an image in memory that is seen is never taken away, and those that are away give theirs back")
        @GTKActor func released() async throws {
            let wall = try Wall(.release)
            await wall.window.until { wall.running == [0, 1, 2] }
            let red = try picture(red)
            for load in wall.loader.loads { load.succeed(red) }
            await wall.window.until { (0...2).allSatisfy { wall.images[$0].load.phase == .image(red) } }
            wall.scroll(to: 1200)
            await wall.window.until { wall.images[0].load.phase == .empty }
            #expect((0...2).allSatisfy { wall.images[$0].load.phase == .empty })
            wall.scroll(to: 0)
            await wall.window.until { wall.images[0].load.phase.isLoading }
            #expect((0...2).allSatisfy { wall.images[$0].load.phase.isLoading })
            wall.window.close()
        }
    }
#endif
