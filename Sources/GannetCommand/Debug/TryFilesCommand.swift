#if CommandLine
    import ArgumentParser
    import Gannet
    import GannetCore
    import GannetPipeline

    /// Tries every way of decoding on many files, for scripts/mutants.sh: damaged ones may be refused or decoded, nothing else.
    struct TryFilesCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "try-files",
            abstract: "Decodes files in every way and says how many were refused and what took longest.",
            discussion: """
                Standard input lists the files, one a line. Each is named on standard error before it is touched, so that the last \
                one is known after a crash.
                """, shouldDisplay: false)

        @Option(help: ArgumentHelp("A way that takes longer fails.", valueName: "seconds"))
        var slow = 10.0

        @OptionGroup(title: "Limits") var limits: LimitOptions

        func run() throws {
            var tally = DecodeTrial.Way.allCases.map { _ in Tally() }
            var files = 0
            var faults = 0
            while let path = readLine() {
                Console.writeError("TRY \(path)\n")
                files += 1
                do throws(ImageError) {
                    let trial = DecodeTrial(
                        bytes: try LocalFile.read(path, maximumBytes: limits.maxBytes), limits: limits.decodeLimits)
                    for (index, way) in DecodeTrial.Way.allCases.enumerated() {
                        let result = trial.run(way)
                        tally[index].add(result, path)
                        if result.error?.code == .misuse || result.seconds > slow {
                            faults += 1
                            Console.print("FAULT \(way) of \(path): \(result.seconds.fixed(1)) s \(result.error?.message ?? "")")
                        }
                    }
                } catch { Console.report(error, source: path) }
            }
            for (way, tally) in zip(DecodeTrial.Way.allCases, tally) { Console.print(tally.line(way, files)) }
            if faults > 0 { throw ExitCode(1) }
        }

        private struct Tally {
            var refused = 0
            var slowest = 0.0
            var slowestPath = ""

            mutating func add(_ result: DecodeTrial.Result, _ path: String) {
                if result.error != nil { refused += 1 }
                guard result.seconds > slowest else { return }
                slowest = result.seconds
                slowestPath = path
            }

            func line(_ way: DecodeTrial.Way, _ files: Int) -> String {
                let name = slowestPath.split(separator: "/").last ?? ""
                return
                    "  \(way): \(files - refused) decoded, \(refused) refused, slowest \((slowest * 1000).fixed(0)) ms (\(name))"
            }
        }
    }

    /// One file and the ways of decoding it.
    struct DecodeTrial {
        enum Way: CaseIterable { case header, whole, frames, thumbnail, progressive }

        struct Result {
            var seconds: Double
            var error: ImageError?
        }

        var bytes: [UInt8]
        var limits: DecodeLimits

        /// Frames of an animation that are looked at.
        private static let frames = 64
        private static let pieces = 16

        func run(_ way: Way) -> Result {
            let clock = ContinuousClock()
            let start = clock.now
            var failure: ImageError?
            do throws(ImageError) { try decode(way) } catch { failure = error }
            return Result(seconds: Readable.milliseconds(clock.now - start) / 1000, error: failure)
        }

        private func decode(_ way: Way) throws(ImageError) {
            let decoding = Assembly.decoding(limits: limits)
            let rope = ByteRope(bytes)
            switch way {
            case .header: _ = try decoding.header(of: rope, options: options { _ in })
            case .whole: _ = try decoding.decode(rope, options: options { $0.frames = .first })
            case .frames:
                guard case .animated(let animation) = try decoding.decode(rope, options: options { $0.frames = .all }) else {
                    return
                }
                for index in 0..<min(animation.frameCount, Self.frames) { _ = try animation.blockingFrame(at: index) }
            case .thumbnail:
                _ = try decoding.decode(rope, options: options { $0.target = .size(.fit(64, 64)) })
                _ = try decoding.decode(
                    rope,
                    options: options {
                        $0.target = .size(.fit(16, 16))
                        $0.allowsPartial = true
                    })
            case .progressive:
                let session = PreviewSession(decoding: decoding, options: options { $0.allowsPartial = true })
                var growing = ByteRope()
                let step = max(1, bytes.count / Self.pieces)
                for start in stride(from: 0, to: bytes.count, by: step) {
                    growing.append(Array(bytes[start..<min(start + step, bytes.count)]))
                    _ = session.preview(from: growing)
                }
                growing.isComplete = true
                _ = try decoding.decode(growing, options: options { $0.allowsPartial = true })
            }
        }

        private func options(_ change: (inout DecodeOptions) -> Void) -> ResolvedDecodeOptions {
            var options = DecodeOptions()
            options.limits = limits
            change(&options)
            return ResolvedDecodeOptions(options)
        }
    }
#endif
