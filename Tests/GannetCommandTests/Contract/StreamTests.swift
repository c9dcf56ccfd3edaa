#if CommandLine && PNG && GIF
    import GannetCommandTestSupport
    import GannetCore
    import GannetPlatform
    import Glibc
    import Testing

    @testable import gannet

    /// Standard streams that are closed, and standard input as a source.
    struct StreamTests {
        let tool: Tool
        let source: String

        init() throws {
            tool = try Tool()
            source = try tool.write(try Samples.png(), "a.png")
        }

        /// Descriptor 0 used to be the pipe of the interrupts, to which nothing else writes.
        @Test(.timeLimit(.minutes(10))) func closedStandardInputCannotBeRead() async throws {
            for command in ["info", "fetch --no-cache", "decode"] {
                let outcome = try await tool.shell("exec \"$0\" \(command) - <&-")
                #expect(outcome.status == 1)
                #expect(outcome.errors == "gannet: -: io: Standard input cannot be read: Bad file descriptor.\n")
            }
        }

        /// Printed text must not reach files that get the free descriptor numbers.
        @Test func closedStandardOutputIsAFailure() async throws {
            let copy = tool.path("copy.png")
            let outcome = try await tool.shell("exec \"$0\" fetch --no-cache '\(source)' -o '\(copy)' <&- >&- 2>&-")
            #expect(outcome.status == 1)
            #expect(try tool.read("copy.png") == (try tool.read("a.png")))
        }

        @Test func standardInputIsReadOnce() async throws {
            for arguments in [
                ["fetch", "-", "-"], ["info", "-", source, "-"], ["show", "-", "-"], ["fetch", "--list", "-", "-"],
            ] {
                let outcome = try await tool.start(arguments, input: Samples.png()).wait()
                #expect(outcome.status == 64 && outcome.output.isEmpty, "\(arguments)")
            }
            let list = try tool.write(Array("-\n-\n".utf8), "list")
            let outcome = try await tool.start(["fetch", "--no-cache", "--json", "--list", list], input: Samples.png()).wait()
            #expect(outcome.status == 1)
            #expect(outcome.objects.filter { $0["ok"] as? Bool == true }.count == 1)
        }

        /// No signal ends the process, and no error message is needed.
        @Test func aPipeThatNobodyReadsIsTheEnd() async throws {
            let outcome = try await tool.shell("mkfifo p && exec 3<>p 4>p 3>&- && exec \"$0\" info '\(source)' >&4")
            #expect(outcome.status == 1 && outcome.errors.isEmpty, "\(outcome.status) \(outcome.errors)")
        }

        /// As when shells start background jobs, and when scripts use `trap`.
        @Test(.timeLimit(.minutes(10))) func aSignalThatTheCallerIgnoresIsIgnored() async throws {
            let pipe = tool.path("pipe")
            #expect(mkfifo(pipe, 0o600) == 0)
            let running = try tool.start(
                ["-c", "trap '' INT; exec \"$0\" info '\(pipe)'", Tool.binary], program: "/bin/sh")
            let descriptor = try await BlockingExecutor.files.run { () throws(ImageError) in open(pipe, O_WRONLY) }
            #expect(descriptor >= 0)
            running.signal(SIGINT)
            let png = try Samples.png()
            #expect(write(descriptor, png, png.count) == png.count)
            close(descriptor)
            let outcome = try await running.wait()
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        }

        @Test(.timeLimit(.minutes(10))) func aPipeThatNobodyWritesToEndsWithTheSignal() async throws {
            let pipe = tool.path("pipe")
            #expect(mkfifo(pipe, 0o600) == 0)
            let running = try tool.start(["info", pipe])
            // The process opens the pipe once its handlers are installed: the writer waits until then, and until the data has
            // been read.
            let descriptor = try await BlockingExecutor.files.run { () throws(ImageError) in open(pipe, O_WRONLY) }
            #expect(descriptor >= 0)
            running.signal(SIGTERM)
            let outcome = try await running.wait()
            close(descriptor)
            // As any load that is cancelled, with the signal's own status.
            #expect(outcome.status == 143 && outcome.errors.contains("cancelled"), "\(outcome.status) \(outcome.errors)")
        }
    }
#endif
