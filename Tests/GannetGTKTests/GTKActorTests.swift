#if GTK
    import CGTK
    import GannetCore
    import GannetPlatform
    import GannetGTK
    import Testing

    @Suite(.enabled(if: GTKHarness.isAvailable, "no display: run under xvfb-run")) struct GTKActorTests {
        // U-12
        @Test @GTKActor func runsOnTheThreadOfTheMainLoop() async {
            #expect(GTKActor.isCurrent)
            await Task.yield()
            #expect(GTKActor.isCurrent)
            GTKActor.shared.assertIsolated()
            #expect(GTKActor.assumeIsolated { 7 } == 7)
        }

        @Test func othersAreNotOnIt() async {
            #expect(!GTKActor.isCurrent)
            #expect(await { @GTKActor in GTKActor.isCurrent }())
        }

        @Test("every job runs once") func everyJob() async {
            let ran = Counter()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<2000 { group.addTask { @GTKActor in ran.add() } }
            }
            #expect(ran.value == 2000)
        }

        @Test("a flood of jobs does not stop the frames") @GTKActor func framesSurviveAFlood() async throws {
            let window = try TestWindow(nil)
            await window.frames(2)
            let done = Counter()
            for _ in 0..<20_000 { Task { @GTKActor in done.add() } }
            // The loop draws before it has run them all, or has run them all: never is it stuck behind them.
            await window.frame()
            await window.until { done.value == 20_000 }
            #expect(done.value == 20_000)
            window.close()
        }

        @Test("a frame that takes longer than the display's interval leaves jobs their turn")
        @GTKActor func jobsPassSlowFrames() async throws {
            final class Slow {
                var frames = 0
                var ranAt: Int?
            }
            let slow = Slow()
            let window = try TestWindow(nil)
            await window.frames(2)
            _ = gtk_widget_add_tick_callback(
                window.window,
                { _, _, data in
                    guard let data else { return 0 }
                    return GTKActor.assumeIsolated {
                        let slow = Unmanaged<Slow>.fromOpaque(data).takeUnretainedValue()
                        slow.frames += 1
                        if slow.frames == 5 { Task { @GTKActor in slow.ranAt = slow.frames } }
                        let end = g_get_monotonic_time() + 25_000
                        while g_get_monotonic_time() < end {}
                        return slow.ranAt == nil && slow.frames < 60
                    } ? 1 : 0
                }, Unmanaged.passRetained(slow).toOpaque(),
                { if let data = $0 { Unmanaged<Slow>.fromOpaque(data).release() } })
            await window.until { slow.ranAt != nil }
            #expect(try #require(slow.ranAt) < 60, "it ran only when nothing was drawn any more")
            window.close()
        }

        @Test("sleeping comes back to the thread of GTK, and so does being cancelled") @GTKActor func sleeping() async {
            let time: any TimeSource = SystemTimeSource()
            for _ in 0..<3 {
                try? await time.sleep(for: .microseconds(10))
                #expect(GTKActor.isCurrent)
                try? await SystemTimeSource().sleep(for: .microseconds(10))
                #expect(GTKActor.isCurrent)
            }
            let cancelled = Task { @GTKActor in
                var failed = false
                do throws(ImageError) { try await SystemTimeSource().sleep(for: .seconds(600)) } catch { failed = true }
                return failed && GTKActor.isCurrent
            }
            cancelled.cancel()
            #expect(await cancelled.value)
        }

        // MG-19
        @Test("decoding called from here does not run here") @GTKActor func blockingWork() async throws {
            let elsewhere = try await BlockingExecutor.decoding.run { () throws(ImageError) -> Bool in !GTKActor.isCurrent }
            #expect(elsewhere)
        }
    }
#endif
