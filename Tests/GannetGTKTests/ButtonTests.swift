#if GTK
    import CGTK
    import FoundationEssentials
    import GannetCore
    import GannetGTK
    import GannetViews
    import GannetTesting
    import Testing

    /// Pictures of buttons by state: Kingfisher's "Buttons", SDWebImage's UIButton+WebCache.
    @Suite(.enabled(if: GTKHarness.isAvailable, "no display: run under xvfb-run"), .serialized) struct ButtonTests {
        let loader = ManualLoader()

        func request(_ name: String) -> ImageRequest { ImageRequest(source: .file("/" + name)) }

        @GTKActor func remember(_ name: String, _ color: [Int]) throws {
            loader.remember(try picture(color), for: request(name).source)
        }

        /// The colour in the middle of a button's child.
        @GTKActor private func middle(_ button: GTKWidget) -> [Int] {
            guard let child = gtk_button_get_child(button.raw.assumingMemoryBound(to: GtkButton.self)) else { return [] }
            let painted = painted(GTKWidget(child))
            return painted[painted.width / 2, painted.height / 2]
        }

        @Test("the handler of the article is called, and released with its button") @GTKActor func recipeOfACallback()
            async throws
        {
            @GTKActor final class Clicks { var count = 0 }
            weak var clicks: Clicks?
            let button = GTKWidget(try #require(gtk_button_new()))
            let window = try TestWindow(button)
            do {
                let counted = Clicks()
                clicks = counted
                whenClicked(button) { counted.count += 1 }
            }
            await window.frames(2)
            #expect(gtk_widget_activate(button.raw.assumingMemoryBound(to: GtkWidget.self)) != 0)
            await window.until { clicks?.count == 1 }
            #expect(clicks?.count == 1)
            window.close()
            #expect(clicks == nil)
        }

        @Test("a URL in a variable is a state's source, and nil is none") @GTKActor func urls() async throws {
            let button = GTKWidget(try #require(gtk_button_new()))
            button.gannet.loader = loader
            button.gannet.contentMode = .stretch
            try remember("normal", red)
            let window = try TestWindow(button, width: 90, height: 90)
            let url: URL? = URL(fileURLWithPath: "/normal")
            button.gannet.setImage(with: url, for: .normal)
            #expect(await shown(button, window, is: red))
            #expect(button.gannet.source(for: .normal) == .file("/normal"))
            let none: URL? = nil
            button.gannet.setImage(with: none, for: .normal)
            await window.until { middle(button) != red }
            #expect(middle(button) != red && button.gannet.source(for: .normal) == nil)
            window.close()
        }

        @GTKActor func set(_ button: GTKWidget, _ flags: GtkStateFlags) {
            gtk_widget_set_state_flags(button.raw.assumingMemoryBound(to: GtkWidget.self), flags, 0)
        }

        @GTKActor func unset(_ button: GTKWidget, _ flags: GtkStateFlags) {
            gtk_widget_unset_state_flags(button.raw.assumingMemoryBound(to: GtkWidget.self), flags)
        }

        @GTKActor private func shown(_ button: GTKWidget, _ window: TestWindow, is color: [Int]) async -> Bool {
            await window.until { middle(button) == color }
            return middle(button) == color
        }

        // VW-02, VW-03, VW-05
        @Test(
            "testUIButtonSetImageWithURLNormalState, testUIButtonSetImageWithURLHighlightedState, testUIImageViewSetHighlightedImageWithURL, testNSButtonSetImageWithURL, testNSButtonSetAlternateImageWithURL, testDownloadAndSetImage, testDownloadAndSetAlternateImage: one picture a state"
        )
        @GTKActor func states() async throws {
            let button = GTKWidget(try #require(gtk_toggle_button_new()))
            button.gannet.loader = loader
            button.gannet.contentMode = .stretch
            let colors: [ButtonState: [Int]] = [
                .normal: red, .hover: green, .active: blue, .insensitive: [90, 90, 90, 255], .checked: [90, 0, 90, 255],
            ]
            for (state, color) in colors { try remember(state.rawValue, color) }
            let window = try TestWindow(button, width: 90, height: 90)
            for state in ButtonState.allCases { button.gannet.setImage(with: request(state.rawValue), for: state) }
            #expect(await shown(button, window, is: red))
            set(button, GTK_STATE_FLAG_PRELIGHT)
            #expect(await shown(button, window, is: green))
            set(button, GTK_STATE_FLAG_CHECKED)
            #expect(await shown(button, window, is: [90, 0, 90, 255]))
            set(button, GTK_STATE_FLAG_ACTIVE)
            #expect(await shown(button, window, is: blue))
            unset(button, GTK_STATE_FLAG_ACTIVE)
            unset(button, GTK_STATE_FLAG_CHECKED)
            unset(button, GTK_STATE_FLAG_PRELIGHT)
            gtk_widget_set_sensitive(button.raw.assumingMemoryBound(to: GtkWidget.self), 0)
            await window.until { middle(button).first != red.first }
            // Themes dim disabled buttons.
            #expect(middle(button).prefix(3).allSatisfy { $0 < 100 })
            for state in ButtonState.allCases { #expect(button.gannet.source(for: state) == request(state.rawValue).source) }
            window.close()
        }

        // VW-03
        @Test("testUIButtonImageURLForState: the normal state's picture stands for those that have none")
        @GTKActor func fallback() async throws {
            let button = GTKWidget(try #require(gtk_button_new()))
            button.gannet.loader = loader
            button.gannet.contentMode = .stretch
            try remember("normal", red)
            let window = try TestWindow(button, width: 90, height: 90)
            button.gannet.setImage(with: request("normal"), for: .normal)
            set(button, GTK_STATE_FLAG_PRELIGHT)
            #expect(await shown(button, window, is: red))
            #expect(button.gannet.source(for: .hover) == nil)
            #expect(button.gannet.currentSource(for: .hover) == request("normal").source)
            window.close()
        }

        @Test(
            "testUIButtonSetBackgroundImageWithURLNormalState, testDownloadAndSetBackgroundImage, testCancelImageTask: each loads and cancels by itself"
        )  // VW-04
        @GTKActor func layers() async throws {
            let button = GTKWidget(try #require(gtk_button_new()))
            button.gannet.loader = loader
            button.gannet.contentMode = .stretch
            try remember("behind", green)
            let window = try TestWindow(button, width: 90, height: 90)
            var ends: [ImageError.Code] = []
            button.gannet.setImage(with: request("front"), for: .normal) {
                if case .failure(let error) = $0 { ends.append(error.code) }
            }
            button.gannet.setImage(with: request("behind"), for: .normal, layer: .background)
            #expect(await shown(button, window, is: green))
            button.gannet.cancel(.normal)
            #expect(ends == [.cancelled])
            #expect(button.gannet.image(for: .normal, layer: .background) != nil)
            #expect(button.gannet.image(for: .normal) == nil)
            window.close()
        }

        // VW-03, VW-04, VW-05
        @Test("testUIButtonBackgroundImageCancelCurrentImageLoad, testCancelBackgroundImageTask, testCancelAlternateImageTask")
        @GTKActor func cancelling() async throws {
            for (state, layer) in [(ButtonState.normal, ButtonState.Layer.background), (.checked, .foreground)] {
                let loader = ManualLoader()
                let button = GTKWidget(try #require(gtk_toggle_button_new()))
                button.gannet.loader = loader
                button.gannet.defaults.decodesForView = false
                let window = try TestWindow(button, width: 90, height: 90)
                var ends: [ImageError.Code] = []
                button.gannet.setImage(with: request("slow"), for: state, layer: layer) {
                    if case .failure(let error) = $0 { ends.append(error.code) }
                }
                await window.until { !loader.loads.isEmpty }
                button.gannet.cancel(state, layer: layer)
                #expect(ends == [.cancelled] && loader.first.isCancelled)
                await window.frames(2)
                #expect(button.gannet.image(for: state, layer: layer) == nil)
                window.close()
            }
        }

        // VW-17, VW-19
        @Test(
            "testSettingNilURL, testSettingNonWorkingImageWithFailureImage, testSettingNonWorkingAlternateImageWithFailureImage, testSettingNonWorkingBackgroundImageWithFailureImage"
        )
        @GTKActor func failures() async throws {
            for (state, layer) in [
                (ButtonState.normal, ButtonState.Layer.foreground), (.checked, .foreground), (.normal, .background),
            ] {
                let loader = ManualLoader()
                let button = GTKWidget(try #require(gtk_toggle_button_new()))
                button.gannet.loader = loader
                button.gannet.contentMode = .stretch
                button.gannet.failure = color(green)
                button.gannet.defaults.decodesForView = false
                let window = try TestWindow(button, width: 90, height: 90)
                if state == .checked { set(button, GTK_STATE_FLAG_CHECKED) }
                var ends: [ImageError.Code] = []
                let note: Presenter.Completion = { if case .failure(let error) = $0 { ends.append(error.code) } }
                button.gannet.setImage(with: request("broken"), for: state, layer: layer, completion: note)
                await window.until { !loader.loads.isEmpty }
                loader.first.fail()
                #expect(await shown(button, window, is: green))
                button.gannet.setImage(with: nil, for: state, layer: layer, completion: note)
                #expect(ends == [.network, .misuse] && button.gannet.source(for: state, layer: layer) == nil)
                window.close()
            }
        }

        @Test("a state whose picture is on the way, failed, or was taken away shows the normal one's")  // VW-03
        @GTKActor func fallbackWithoutContent() async throws {
            let button = GTKWidget(try #require(gtk_button_new()))
            button.gannet.loader = loader
            button.gannet.contentMode = .stretch
            try remember("normal", red)
            let window = try TestWindow(button, width: 90, height: 90)
            button.gannet.setImage(with: request("normal"), for: .normal)
            button.gannet.setImage(with: request("hover"), for: .hover)
            set(button, GTK_STATE_FLAG_PRELIGHT)
            #expect(await shown(button, window, is: red))
            await window.until { loader.loads.count == 1 }
            loader.first.fail()
            await window.frames(3)
            #expect(middle(button) == red)
            button.gannet.setImage(with: request("hover"), for: .hover)
            await window.until { loader.loads.count == 2 }
            loader.load(1).succeed(try picture(green))
            #expect(await shown(button, window, is: green))
            button.gannet.setImage(with: nil, for: .hover)
            #expect(await shown(button, window, is: red))
            window.close()
        }

        @Test("a label stays over a background, and gives way to a foreground; what the program puts there later may")  // VW-04
        @GTKActor func labels() async throws {
            let label = try #require(gtk_label_new("OK"))
            let button = GTKWidget(try #require(gtk_button_new()))
            let raw = button.raw.assumingMemoryBound(to: GtkButton.self)
            gtk_button_set_child(raw, label)
            let end = Lifetime(UnsafeMutableRawPointer(label))
            button.gannet.loader = loader
            button.gannet.contentMode = .stretch
            try remember("a", red)
            let window = try TestWindow(button, width: 90, height: 90)
            button.gannet.setImage(with: request("a"), for: .normal, layer: .background)
            await window.until { gtk_widget_get_mapped(label) != 0 }
            #expect(gtk_widget_get_mapped(label) != 0 && !end.hasEnded)
            button.gannet.setImage(with: request("a"), for: .normal)
            await window.until { end.hasEnded }
            #expect(end.hasEnded)
            gtk_button_set_label(raw, "Other")
            set(button, GTK_STATE_FLAG_PRELIGHT)
            await window.frames(2)
            #expect(gtk_button_get_label(raw).map { String(cString: $0) } == "Other")
            button.gannet.setImage(with: request("a"), for: .normal)
            #expect(await shown(button, window, is: red))
            window.close()
        }

        @Test("a button's picture is that of its normal state, whichever way it is set")  // VW-03, VW-05
        @GTKActor func plainCalls() async throws {
            let button = GTKWidget(try #require(gtk_button_new()))
            button.gannet.loader = loader
            button.gannet.contentMode = .stretch
            let window = try TestWindow(button, width: 90, height: 90)
            let waiting = Task { @GTKActor in try await button.gannet.image(with: request("a")).image }
            await window.until { !loader.loads.isEmpty }
            loader.first.succeed(try picture(red))
            _ = try await waiting.value
            #expect(await shown(button, window, is: red))
            #expect(button.gannet.source(for: .normal) == request("a").source && button.gannet.source() == request("a").source)
            #expect(button.gannet.image != nil && !button.gannet.isLoading)
            set(button, GTK_STATE_FLAG_PRELIGHT)
            button.gannet.show(try picture(green))
            #expect(await shown(button, window, is: green))
            button.gannet.reset()
            await window.until { button.gannet.image == nil }
            #expect(button.gannet.image(for: .normal) == nil)
            window.close()
        }

        @Test("a slot that nobody shows loads all of its picture, and its call ends; one that is shown in the same turn waits")
        @GTKActor func unseenSlots() async throws {  // VW-09, VW-10, VW-13
            let label = GTKWidget(try #require(gtk_label_new("x")))
            let picture = GTKWidget(try #require(gtk_picture_new()))
            g_object_ref_sink(label.raw)
            g_object_ref_sink(picture.raw)
            for (widget, slot) in [(label, ImageSlotName.main), (label, "pin"), (picture, "badge")] {
                let loader = ManualLoader()
                widget.gannet.loader = loader
                let waiting = Task { @GTKActor in try await widget.gannet.image(with: request("a"), slot: slot) }
                for _ in 0..<100_000 where loader.loads.isEmpty { await Task.yield() }
                try #require(loader.loads.count == 1)
                #expect(loader.first.request.decode.target == nil)
                loader.first.succeed(try GannetGTKTests.picture(red))
                _ = try await waiting.value
                #expect(widget.gannet.presenter(slot: slot).image != nil)
            }
            let late = ManualLoader()
            label.gannet.loader = late
            label.gannet.setImage(with: request("b"), slot: "late")
            var paintable: UnsafeMutableRawPointer?
            label.gannet.display(slot: "late") { paintable = $0 }
            for _ in 0..<100 { await Task.yield() }
            #expect(late.loads.isEmpty)
            _ = paint(try #require(paintable), width: 30, height: 20)
            for _ in 0..<100_000 where late.loads.isEmpty { await Task.yield() }
            #expect(late.first.request.decode.target == .size(.fit(30, 20)))
            g_object_unref(label.raw)
            g_object_unref(picture.raw)
        }

        @Test("the picture of a state that was never seen loads for the button's size")  // VW-03, VW-04, VW-05
        @GTKActor func unseenStates() async throws {
            for state in [ButtonState.hover, .checked] {
                let loader = ManualLoader()
                let button = GTKWidget(try #require(gtk_toggle_button_new_with_label("OK")))
                button.gannet.loader = loader
                button.gannet.contentMode = .stretch
                // Set before there is a layout, and after.
                button.gannet.setImage(with: request("early"), for: state, layer: .background)
                let window = try TestWindow(button, width: 90, height: 70)
                await window.until { loader.loads.count == 1 }
                button.gannet.setImage(with: request("late"), for: .active, layer: .background)
                await window.until { loader.loads.count == 2 }
                let child = try #require(gtk_button_get_child(button.raw.assumingMemoryBound(to: GtkButton.self)))
                let inside = TargetSize.stretch(Int(gtk_widget_get_width(child)), Int(gtk_widget_get_height(child)))
                #expect(loader.loads.map(\.request.decode.target) == [.size(inside), .size(inside)])
                #expect((inside.width ?? 0) > 40)
                window.close()
            }
        }

        /// A button at the top left of its window, as small as it may be.
        @GTKActor private func loose() throws -> GTKWidget {
            let button = try #require(gtk_button_new())
            gtk_widget_set_halign(button, GTK_ALIGN_START)
            gtk_widget_set_valign(button, GTK_ALIGN_START)
            gtk_widget_set_margin_start(button, 7)
            gtk_widget_set_margin_top(button, 7)
            return GTKWidget(button)
        }

        @Test("a button that nobody has given a size is as large as its picture")  // VW-03
        @GTKActor func naturalSize() async throws {
            let button = try loose()
            button.gannet.loader = loader
            let window = try TestWindow(button, width: 200, height: 200)
            button.gannet.setImage(with: request("a"), for: .normal)
            await window.until { !loader.loads.isEmpty }
            #expect(loader.first.request.decode.target == nil)
            let bitmap = try solid(red, width: 80, height: 60)
            loader.first.succeed(.still(bitmap, ImageMetadata(format: .png, originalSize: bitmap.size)))
            let child = try #require(gtk_button_get_child(button.raw.assumingMemoryBound(to: GtkButton.self)))
            await window.until { gtk_widget_get_width(child) == 80 }
            #expect(gtk_widget_get_width(child) == 80 && gtk_widget_get_height(child) == 60)
            await window.frames(3)
            #expect(loader.loads.count == 1 && middle(button) == red)
            window.close()
        }

        @Test("a button that has a size keeps it: its picture is made for that")  // VW-03
        @GTKActor func givenSize() async throws {
            let button = try loose()
            button.gannet.loader = loader
            gtk_widget_set_size_request(button.raw.assumingMemoryBound(to: GtkWidget.self), 60, 60)
            let window = try TestWindow(button, width: 200, height: 200)
            button.gannet.setImage(with: request("a"), for: .normal)
            await window.until { !loader.loads.isEmpty }
            let child = try #require(gtk_button_get_child(button.raw.assumingMemoryBound(to: GtkButton.self)))
            let inside = TargetSize.fit(Int(gtk_widget_get_width(child)), Int(gtk_widget_get_height(child)))
            #expect(loader.first.request.decode.target == .size(inside) && (inside.width ?? 0) > 30)
            window.close()
        }
    }
#endif
