#if GTK
    import CGTK
    import GannetCore
    import GannetGTK
    import GannetTesting
    import GannetViews
    import Testing

    /// Images by state of widgets that are no buttons.
    extension ButtonTests {
        @Test("an image view has a highlighted image, and one for the pointer; both are there before they are shown")  // VW-02
        @GTKActor func statesOfAnImageView() async throws {
            let view = ImageView()
            view.gannet.loader = loader
            view.gannet.contentMode = .stretch
            try remember("normal", red)
            try remember("lit", blue)
            let window = try TestWindow(view.widget, width: 60, height: 60)
            view.gannet.setImage(with: request("normal"))
            view.gannet.setImage(with: request("lit"), for: .active)
            view.gannet.setImage(with: request("hover"), for: .hover)
            func shows(_ color: [Int]) async -> Bool {
                await window.until { painted(view.picture)[30, 30] == color }
                return painted(view.picture)[30, 30] == color
            }
            #expect(await shows(red))
            view.isHighlighted = true
            #expect(await shows(blue))
            view.gannet.setImage(with: request("normal"))
            await window.frames(2)
            #expect(await shows(blue), "a call for the normal one does not replace it")
            view.isHighlighted = false
            #expect(await shows(red))
            #expect(view.gannet.source(for: .active) == request("lit").source && view.gannet.source() == request("normal").source)
            #expect(view.gannet.currentSource(for: .checked) == request("normal").source)
            set(view.picture, GTK_STATE_FLAG_PRELIGHT)
            await window.until { !loader.loads.isEmpty }
            #expect(loader.loads.count == 1 && loader.first.request.decode.target == .size(.stretch(60, 60)))
            #expect(await shows(red), "until its own is there")
            loader.first.succeed(try picture(green))
            #expect(await shows(green))
            unset(view.picture, GTK_STATE_FLAG_PRELIGHT)
            #expect(await shows(red))
            window.close()
        }

        @Test("a widget without images for states says so, once, and a picture that it has none behind it")
        @GTKActor func misuse() throws {
            for (widget, layer) in [(gtk_label_new("x"), .foreground), (gtk_picture_new(), .background)]
                as [(UnsafeMutablePointer<GtkWidget>?, ButtonState.Layer)]
            {
                let widget = GTKWidget(try #require(widget))
                g_object_ref_sink(widget.raw)
                var codes: [ImageError.Code] = []
                widget.gannet.setImage(with: request("x"), for: .normal, layer: layer) {
                    if case .failure(let error) = $0 { codes.append(error.code) }
                }
                #expect(codes == [.misuse])
                g_object_unref(widget.raw)
            }
        }
    }
#endif
