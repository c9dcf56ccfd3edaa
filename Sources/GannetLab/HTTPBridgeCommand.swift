#if CommandLine && HTTP
    import ArgumentParser
    import GannetCache
    import GannetCore
    import GannetFetch
    import GannetHTTP
    import GannetPlatform
    import GannetSupport
    import GannetTesting
    import Glibc
    import Synchronization

    /// JSON lines in, JSON lines out: any HTTP request through the downloader and its cache.
    struct HTTPBridgeCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "http-bridge", abstract: "Answers requests (JSON lines) through the downloader and its HTTP cache.")

        @Flag(help: "Obeys the rules for caches that many users share.") var shared = false

        func run() async throws {
            let signals = Lines.endOnSignals()
            defer { withExtendedLifetime(signals) {} }
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let transport: CURLTransport
            do throws(ImageError) { transport = try CURLTransport() } catch {
                Lines.report(error, source: "http-bridge")
                throw ExitCode(1)
            }
            let cache = DiskCache(DiskCacheConfiguration(directory: folder.path + "/cache"))
            let bridge = HTTPBridge(transport: transport, cache: cache, isShared: shared)
            let (replies, continuation) = AsyncStream.makeStream(of: String.self)
            async let printing: Void = Self.print(replies)
            await withTaskGroup(of: Void.self) { group in
                let input = LineReader()
                // A dedicated thread reads one line at a time; each request runs in its own task.
                while let line = await Self.next(input) {
                    group.addTask { await bridge.respond(to: line) { continuation.yield($0) } }
                }
            }
            continuation.finish()
            await printing
            try? await cache.flush()
        }

        @concurrent private static func print(_ replies: AsyncStream<String>) async {
            for await reply in replies { Lines.print(reply) }
        }

        private static func next(_ input: LineReader) async -> String? {
            do throws(ImageError) {
                return try await BlockingExecutor.files.run { () throws(ImageError) in input.next() }
            } catch { return nil }
        }
    }

    /// Standard input, line by line. Blocks.
    private final class LineReader: Sendable {
        private struct State {
            var buffer: [UInt8] = []
            var isOver = false
        }

        /// Held while a line is read: there is one reader.
        private let state = Mutex(State())

        /// The next line without its line feed; nil at the end.
        func next() -> String? {
            state.withLock { state in
                while true {
                    if let end = state.buffer.firstIndex(of: 10) {
                        let line = String(decoding: state.buffer[..<end], as: UTF8.self)
                        state.buffer.removeSubrange(...end)
                        return line
                    }
                    if state.isOver {
                        let rest = String(decoding: state.buffer, as: UTF8.self)
                        state.buffer = []
                        return rest.isEmpty ? nil : rest
                    }
                    var chunk = [UInt8](repeating: 0, count: 1 << 16)
                    let got = read(0, &chunk, chunk.count)
                    if got > 0 {
                        state.buffer.append(contentsOf: chunk[..<got])
                    } else if got == 0 || errno != EINTR {
                        state.isOver = true
                    }
                }
            }
        }
    }
#endif
