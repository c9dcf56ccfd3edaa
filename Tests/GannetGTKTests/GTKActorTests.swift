#if GTK
    import CGTK
    import GannetCore
    import GannetGTK
    import Testing

    @Suite(.enabled(if: GTKHarness.isAvailable, "no display: run under xvfb-run")) struct GTKActorTests {
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

        @Test("decoding called from here does not run here") @GTKActor func blockingWork() async throws {
            let elsewhere = try await BlockingExecutor.decoding.run { () throws(ImageError) -> Bool in !GTKActor.isCurrent }
            #expect(elsewhere)
        }
    }
#endif
