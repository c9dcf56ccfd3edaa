#if GTK
    import CGTK
    import FoundationEssentials
    import GannetImages
    import GannetCore
    import GannetGTK
    import GannetViews
    import GannetTesting
    import Testing

    /// The progress that an indicator got.
    @GTKActor private final class ToldProgress { var all: [LoadProgress] = [] }

    /// Real widgets in a real loop; pixels are read back.
    // The functions are isolated and not the suite: the runner makes its tests before there is a loop.
    @Suite(.enabled(if: GTKHarness.isAvailable, "no display: run under xvfb-run"), .serialized) struct WidgetTests {
        let loader = ManualLoader()
        let a: ImageRequest = "https://example.org/a.png"
        let b: ImageRequest = "https://example.org/b.png"

        @GTKActor func view(_ options: (WidgetFace) -> Void = { _ in }) -> ImageView {
            let view = ImageView(alternativeText: "test")
            view.gannet.loader = loader
            view.gannet.contentMode = .stretch
            options(view.gannet)
            return view
        }

        @GTKActor func slot(_ view: ImageView) -> ImageSlot { view.gannet.images.slot(.main) }

        // VW-01, KF-01, S3-01
        @Test("testUIImageViewSetImageWithURL: placeholder, then the picture, on screen")
        @GTKActor func placeholderThenPicture() async throws {
            let view = view { $0.placeholder = color(blue) }
            let window = try TestWindow(view.widget)
            var results = 0
            view.gannet.setImage(with: a) { _ in results += 1 }
            await window.until { painted(view.picture)[30, 30] == blue }
            #expect(painted(view.picture)[30, 30] == blue)
            await window.until { !loader.loads.isEmpty }
            #expect(loader.first.request.decode.target == .size(.stretch(60, 60)))
            loader.first.succeed(try picture(red))
            await window.until { painted(view.picture)[30, 30] == red }
            #expect(painted(view.picture)[30, 30] == red && results == 1)
            #expect(view.gannet.source() == a.source && !view.gannet.isLoading)
            window.close()
        }

        // VW-22
        @Test("a memory hit is in the first frame that is painted: no placeholder before it")
        @GTKActor func memoryHitInTheFirstFrame() async throws {
            loader.remember(try picture(red), for: a.source)
            let view = view { $0.placeholder = color(blue) }
            // Of every frame that is painted: whether it had the picture, and nothing but it.
            var frames: [Bool] = []
            slot(view).onDraw = { frames.append(view.gannet.image != nil && slot(view).presenter.shownPlaceholder == nil) }
            view.gannet.setImage(with: a)
            let window = try TestWindow(view.widget)
            await window.until { !frames.isEmpty }
            // The widget's new size comes after the drawing, and GTK drops what was painted until the next frame.
            await window.until { painted(view.picture)[30, 30] == red }
            await window.frames(3)
            #expect(painted(view.picture)[30, 30] == red && loader.loads.isEmpty)
            #expect(frames.allSatisfy { $0 })
            window.close()
        }

        @Test("a URL in a variable is a source: of the network, of this machine, and none") @GTKActor func urls() async throws {
            let url: URL? = URL(string: "https://example.org/a.png")
            let file: URL? = URL(fileURLWithPath: "/tmp/a.png")
            loader.remember(try picture(red), for: a.source)
            loader.remember(try picture(green), for: .file("/tmp/a.png"))
            let view = view { $0.placeholder = color(blue) }
            let window = try TestWindow(view.widget)
            for (url, shown, source) in [(url, red, a.source), (file, green, .file("/tmp/a.png")), (nil, blue, nil)]
                as [(URL?, [Int], ImageSource?)]
            {
                view.gannet.setImage(with: url)
                await window.until { painted(view.picture)[30, 30] == shown }
                #expect(painted(view.picture)[30, 30] == shown && view.gannet.source() == source)
            }
            #expect(loader.loads.isEmpty)
            window.close()
        }

        @Test("failure picture, empty failure, and none") @GTKActor func failures() async throws {
            for (failure, expected) in [(color(green), green), (.empty, clear), (nil, blue)] as [(ImagePlaceholder?, [Int])] {
                let loader = ManualLoader()
                let view = view { face in
                    face.loader = loader
                    face.placeholder = color(blue)
                    face.failure = failure
                }
                let window = try TestWindow(view.widget)
                var codes: [ImageError.Code] = []
                view.gannet.setImage(with: a) { if case .failure(let error) = $0 { codes.append(error.code) } }
                await window.until { !loader.loads.isEmpty }
                loader.first.fail()
                await window.until { !codes.isEmpty }
                await window.frames(2)
                #expect(codes == [.network])
                #expect(painted(view.picture)[30, 30] == expected)
                window.close()
            }
        }

        // VW-31
        @Test("testUIViewIndicatorWork: each kind is seen, and gone with the load") @GTKActor func indicators() async throws {
            let spinner = GTKView { GTKWidget(gtk_spinner_new()!) }
            for indicator in [LoadIndicator.activity, .bar, .image(try picture(green)), .custom(spinner)] {
                let loader = ManualLoader()
                let view = view { face in
                    face.loader = loader
                    face.indicator = indicator
                }
                let window = try TestWindow(view.widget)
                view.gannet.setImage(with: a)
                await window.until { !loader.loads.isEmpty }
                await window.frames(2)
                if case .custom = indicator {
                    let child = gtk_widget_get_last_child(view.widget.raw.assumingMemoryBound(to: GtkWidget.self))
                    #expect(child.map { UnsafeMutableRawPointer($0) } != view.picture.raw)
                } else {
                    #expect(painted(view.picture).bytes.contains { $0 != 0 })
                }
                loader.first.succeed(try picture(red))
                await window.until { painted(view.picture)[30, 30] == red }
                #expect(Set(painted(view.picture).bytes) == [200, 0, 255])
                let child = gtk_widget_get_last_child(view.widget.raw.assumingMemoryBound(to: GtkWidget.self))
                #expect(child.map { UnsafeMutableRawPointer($0) } == view.picture.raw)
                window.close()
            }
        }

        @Test("an indicator that is a widget gets the progress of its load")  // VW-30
        @GTKActor func indicatorProgress() async throws {
            let loader = ManualLoader()
            let told = ToldProgress()
            let view = view { face in
                face.loader = loader
                face.indicator = .custom(
                    GTKView({ GTKWidget(gtk_progress_bar_new()!) }) { widget, progress in
                        told.all.append(progress)
                        gtk_progress_bar_set_fraction(OpaquePointer(widget.raw), progress.fraction ?? 0)
                    })
            }
            let window = try TestWindow(view.widget)
            view.gannet.setImage(with: a)
            await window.until { !loader.loads.isEmpty && told.all == [LoadProgress()] }
            for received in [30, 60] {
                loader.first.send(.progress(LoadProgress(received: received, expected: 60)))
                await window.until { told.all.last == LoadProgress(received: received, expected: 60) }
            }
            await window.frames(2)
            #expect(told.all.map(\.received) == [0, 30, 60], "each once")
            let child = gtk_widget_get_last_child(view.widget.raw.assumingMemoryBound(to: GtkWidget.self))
            #expect(child.map { gtk_progress_bar_get_fraction(OpaquePointer($0)) } == 1)
            loader.first.succeed(try picture(red))
            await window.until { painted(view.picture)[30, 30] == red }
            #expect(told.all.count == 3)
            window.close()
        }

        @Test("placeholder and transition of one call go before those of the options, and leave the view's alone")
        @GTKActor func transitionOfACall() async throws {
            let view = view { $0.placeholder = color(red) }
            let slot = slot(view)
            slot.clock = { .zero }
            let window = try TestWindow(view.widget)
            var options = PresentationOptions()
            options.transition = .none
            var steps: [LoadProgress] = []
            var ended = false
            view.gannet.setImage(
                with: "https://example.org/a.png", placeholder: color(blue), transition: .fade, options: options,
                progress: { steps.append($0) }, completion: { _ in ended = true })
            await window.until { painted(view.picture)[30, 30] == blue && !loader.loads.isEmpty }
            loader.first.send(.progress(LoadProgress(received: 3, expected: 9)))
            loader.first.succeed(try picture(green))
            await window.until { ended }
            #expect(slot.presenter.isTransitionRunning && steps.map(\.isFinished) == [false, true])
            if case .none = slot.presenter.defaults.transition.kind {} else { Issue.record("the view's transition has changed") }
            window.close()
        }

        @Test("transitions, at given times of the frame clock; the same pixels as the headless view")
        @GTKActor func transitions() async throws {
            let kinds: [ImageTransition.Kind] = [
                .fade, .crossfade, .slide(from: .left), .slide(from: .right), .slide(from: .top), .slide(from: .bottom),
                .flip(from: .left), .flip(from: .top), .curlUp, .curlDown,
            ]
            for kind in kinds {
                let loader = ManualLoader()
                let transition = ImageTransition(kind, duration: .milliseconds(100), easing: .linear)
                let view = view { face in
                    face.loader = loader
                    face.placeholder = color(blue)
                    face.transition = transition
                }
                var now = Duration.seconds(5)
                slot(view).clock = { now }
                let window = try TestWindow(view.widget)
                view.gannet.setImage(with: a)
                await window.until { !loader.loads.isEmpty }
                await window.frames(2)
                let twin = HeadlessView(width: 60, height: 60, loader: loader)
                twin.presenter.defaults = view.gannet.defaults
                twin.presenter.setImage(a)
                _ = try twin.draw(at: now)
                for load in loader.loads { load.succeed(try picture(red)) }
                await window.until { view.gannet.image != nil && twin.presenter.image != nil }
                _ = try twin.draw(at: now)
                await window.frames(2)
                for step in [0, 25, 50, 75, 100] {
                    now = .seconds(5) + .milliseconds(step)
                    await window.frames(2)
                    let shown = painted(view.picture)
                    let expected = try twin.draw(at: now)
                    for (x, y) in [(3, 30), (20, 30), (40, 30), (57, 30), (30, 3), (30, 20), (30, 40), (30, 57)] {
                        let row = expected.row(y)
                        let difference = (0..<4).map { abs(Int(row[x * 4 + $0]) - shown[x, y][$0]) }.max() ?? 0
                        #expect(difference <= 2, "\(kind) at \(step) ms, \(x),\(y): \(shown[x, y])")
                    }
                }
                #expect(painted(view.picture)[30, 30] == red)
                window.close()
            }
        }

        // VW-13
        @Test("testUIViewAutoCancelImage, testUIViewAvoidAutoCancelImage, testUIViewCancelCurrentImageLoad") @GTKActor
        func cancelling() async throws {
            let view = view()
            let window = try TestWindow(view.widget)
            await window.frames(2)
            var log: [String] = []
            view.gannet.setImage(with: a) { if case .failure(let error) = $0 { log.append("a \(error.code)") } }
            view.gannet.setImage(with: b) { if case .success = $0 { log.append("b") } }
            #expect(log == ["a cancelled"])
            var options = PresentationOptions()
            options.keepsPreviousLoad = true
            view.gannet.setImage(with: a, options: options) { if case .success = $0 { log.append("a") } }
            await window.until { loader.loads.count == 3 || !loader.loads.isEmpty && loader.loads.last?.isCancelled == false }
            for load in loader.loads { load.succeed(try picture(green)) }
            await window.until { log.count == 3 }
            #expect(Set(log) == ["a cancelled", "a", "b"])
            view.gannet.setImage(with: "https://example.org/c.png") {
                if case .failure(let error) = $0 { log.append("c \(error.code)") }
            }
            view.gannet.cancel()
            #expect(log.last == "c cancelled" && !view.gannet.isLoading)
            window.close()
        }

        // CX-01, VW-11, VW-12
        @Test("testUIViewOperationKeyContextWorks, testMKAnnotationViewSetImageWithURL: two slots of one widget are independent")
        @GTKActor func slots() async throws {
            let area = GTKWidget(gtk_label_new("x")!)
            area.gannet.loader = loader
            var places: [UnsafeMutableRawPointer] = []
            area.gannet.display(slot: "first") { places.append($0) }
            area.gannet.display(slot: "second") { places.append($0) }
            let window = try TestWindow(area)
            var own = a
            own.decode.target = .size(.fit(4, 4))
            var other = b
            other.decode.target = .size(.fit(4, 4))
            area.gannet.setImage(with: own, slot: "first")
            area.gannet.setImage(with: other, slot: "second")
            loader.first.succeed(try picture(red))
            loader.load(1).succeed(try picture(green))
            await window.until { paint(places[1], width: 8, height: 8)[4, 4] == green }
            #expect(paint(places[0], width: 8, height: 8)[4, 4] == red)
            #expect(paint(places[1], width: 8, height: 8)[4, 4] == green)
            area.gannet.cancel(slot: "first")
            #expect(area.gannet.source(slot: "second") == b.source)
            window.close()
        }

        // VW-06, VW-08
        @Test("existing GtkPicture and GtkImage, by their raw pointers") @GTKActor func existingWidgets() async throws {
            for make in [{ gtk_picture_new() }, { gtk_image_new() }] {
                let loader = ManualLoader()
                let widget = GTKWidget(try #require(make()))
                widget.gannet.loader = loader
                let window = try TestWindow(widget)
                widget.gannet.setImage(with: a)
                await window.until { !loader.loads.isEmpty }
                loader.first.succeed(try picture(red))
                await window.until { widget.gannet.image != nil }
                await window.frames(3)
                #expect(painted(widget)[30, 30] == red)
                window.close()
            }
        }

        @Test("a widget destroyed in mid-load: the load ends as cancelled, once, and nothing leaks") @GTKActor func destroyed()
            async throws
        {
            var ends: [ImageError.Code] = []
            var view: ImageView? = self.view { $0.indicator = .activity }
            let window = try TestWindow(view!.widget)
            let overlay = Lifetime(view!.widget.raw)
            let inner = Lifetime(view!.picture.raw)
            let paintable = Lifetime(slot(view!).paintable)
            view!.gannet.setImage(with: a) { if case .failure(let error) = $0 { ends.append(error.code) } }
            await window.until { !loader.loads.isEmpty }
            view = nil
            window.close()
            #expect(loader.first.isCancelled && ends == [.cancelled])
            loader.first.succeed(try picture(red))
            let other = try TestWindow(nil)
            await other.until { overlay.hasEnded && inner.hasEnded && paintable.hasEnded }
            #expect(overlay.hasEnded && inner.hasEnded && paintable.hasEnded)
            #expect(ends == [.cancelled])
            other.close()
        }

        // VW-16
        @Test("thousands of rapid calls: one picture, each call ends once, nothing leaks") @GTKActor func rapidCalls()
            async throws
        {
            let view = view()
            let window = try TestWindow(view.widget)
            await window.frames(3)
            var ends = [Int](repeating: 0, count: 3000)
            for index in 0..<3000 {
                view.gannet.setImage(with: ImageRequest(source: .file("/\(index)"))) { _ in ends[index] += 1 }
            }
            try #require(loader.loads.count == 3000)
            for load in loader.loads { load.succeed(try picture(load === loader.loads.last ? green : red)) }
            await window.until { painted(view.picture)[30, 30] == green }
            #expect(ends.allSatisfy { $0 == 1 })
            #expect(painted(view.picture)[30, 30] == green)
            #expect(loader.loads.dropLast().allSatisfy { $0.isCancelled })
            window.close()
        }

        @Test("a recycled cell during slow loads: no painted frame shows another cell's picture")  // U-08, VW-16
        @GTKActor func recycledCell() async throws {
            let loader = ManualLoader(answersAfterCancelling: true)
            let view = view {
                $0.loader = loader
                $0.placeholder = color(blue)
            }
            let window = try TestWindow(view.widget)
            await window.frames(3)
            var wrong = 0
            slot(view).onDraw = { if slot(view).presenter.image != nil { wrong += 1 } }
            for index in 0..<30 {
                view.gannet.setImage(with: ImageRequest(source: .file("/\(index)")))
                if index > 0 {
                    #expect(loader.load(index - 1).succeed(try picture(red)))
                }
                await window.frame()
                #expect(painted(view.picture)[30, 30] == blue)
            }
            #expect(wrong == 0)
            loader.load(29).succeed(try picture(green))
            await window.until { painted(view.picture)[30, 30] == green }
            #expect(painted(view.picture)[30, 30] == green)
            window.close()
        }

        // CD-30
        @Test("textures show the bitmap's bytes, and give them back") @GTKActor func textures() async throws {
            let pool = PixelPool()
            var buffer = try PixelBuffer(PixelLayout(size: PixelSize(clamping: 5, 3), alpha: .premultiplied), pool: pool)
            for y in 0..<3 {
                var row = buffer.mutableRow(y)
                for x in 0..<20 { row[x] = UInt8(x % 4 == 3 ? 255 : x * 10 + y) }
            }
            var bitmap: Bitmap? = buffer.freeze()
            let expected = try #require(bitmap?.packedBytes())
            var texture: GTKTexture? = bitmap?.gdkTexture()
            bitmap = nil
            #expect(pool.livingBytes > 0, "the texture keeps the pixels")
            let raw = try #require(texture?.raw)
            #expect(paint(raw, width: 5, height: 3).bytes == expected)
            texture = nil
            #expect(pool.livingBytes == 0)
        }
    }
#endif
