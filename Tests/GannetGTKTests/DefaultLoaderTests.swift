#if GTK
    import Gannet
    import GannetGTK
    import Testing

    /// Which loader widgets have in a program that names none.
    @Suite(.enabled(if: GTKHarness.isAvailable, "no display: run under xvfb-run")) struct DefaultLoaderTests {
        // Another test exchanges the shared manager meanwhile, so the kind is compared.
        @Test @GTKActor func `Widgets load with the shared manager unless told otherwise`() async {
            #expect(GannetToolkit.loader is ImageManager)
        }
    }
#endif
