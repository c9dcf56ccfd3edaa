#if CommandLine
    import ArgumentParser
    import Dispatch
    import GannetCore
    import GannetSupport
    import Glibc

    /// The programs that tests and scripts run beside `gannet`. They are never installed, and may change at any time.
    @main
    struct LabProgram: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "gannet-lab", abstract: "For tests, fault injection and building: not part of what is installed.",
            subcommands: subcommands)

        private static var subcommands: [any ParsableCommand.Type] {
            var commands: [any ParsableCommand.Type] = [
                CacheWorkerCommand.self, ManualCommand.self, MemoryCommand.self, ThumbnailerCommand.self, TilesCommand.self,
                TryFilesCommand.self,
            ]
            #if HTTP
                commands.append(HTTPBridgeCommand.self)
            #endif
            #if HTTP && JPEG
                commands.append(MapCommand.self)
            #endif
            #if GTK
                commands.append(ZoomCommand.self)
            #endif
            return commands
        }
    }

    /// Standard output, a line at a time, so that a process that is killed has said all that it did.
    enum Lines {
        static func print(_ line: String) {
            // Nobody reads any more: there is nothing left to do.
            if !StandardStream.write(Array((line + "\n").utf8), to: 1) { end(1) }
        }

        /// Standard error.
        static func warn(_ line: String) { _ = StandardStream.write(Array((line + "\n").utf8), to: 2) }

        static func report(_ error: ImageError, source: String) {
            warn("gannet-lab: \(source): \(error.code.name): \(error.message)")
        }

        /// Ends the process at once, without the temporary folders that it made.
        static func end(_ status: Int32) -> Never {
            TemporaryFolder.removeAll()
            _exit(status)
        }

        /// The first SIGINT or SIGTERM ends the process like ``end(_:)``, while the returned sources live.
        static func endOnSignals() -> [any DispatchSourceSignal] {
            [SIGINT, SIGTERM].map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { end(128 + number) }
                source.resume()
                return source
            }
        }
    }
#else
    import Glibc

    @main
    enum LabProgram {
        static func main() {
            print("This gannet-lab was built without its commands: build it with the package trait CommandLine.")
            exit(64)
        }
    }
#endif
