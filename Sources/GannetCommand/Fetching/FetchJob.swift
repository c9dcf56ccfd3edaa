#if CommandLine
    import Gannet
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetPlatform
    import GannetSupport

    /// Loads one source, and writes it if requested.
    struct FetchJob: Sendable {
        var manager: ImageManager
        var loading: LoadOptions
        var asking: AskingOptions
        /// Nil: full size.
        var target: TargetSize?
        var limits: LimitOptions
        var transformers: [any ImageTransformer]
        var writer: FetchWriter
        var explains: Bool

        func run(_ source: String, _ progress: Batch.Progress) async throws(ImageError) -> FetchOutcome {
            // Before anything is loaded.
            if let path = writer.plannedPath(for: source) { try writer.names.check(path, of: source) }
            var request = try await request(for: source)
            if writer.isWanted { request.cache.usesOriginalsOnly() }
            if !transformers.isEmpty {
                request.transform.transformers = transformers
                request.transform.appliesTo = [.animated, .vector]
            }
            let explanation = explains ? try await manager.explanation(of: request) : nil
            do throws(ImageError) {
                let loaded = try await load(request, progress)
                var report = FetchReport(loaded, explanation)
                if writer.isWanted {
                    let isUntouched = target == nil && transformers.isEmpty && !report.isPartial
                    report.written = try await writer.write(loaded, isUntouched: isUntouched, source: source, manager)
                }
                return .loaded(report)
            } catch {
                // The state of the caches is most useful when a load fails.
                if let explanation { return .explained(explanation, error) }
                throw error
            }
        }

        /// Reading standard input blocks, so it runs on a file thread.
        private func request(for source: String) async throws(ImageError) -> ImageRequest {
            let job = self
            guard source == "-" else { return try job.blockingRequest(for: source) }
            return try await BlockingExecutor.files.run { () throws(ImageError) in try job.blockingRequest(for: source) }
        }

        private func blockingRequest(for source: String) throws(ImageError) -> ImageRequest {
            try loading.request(for: source, target: target, asking: asking, limits: limits)
        }

        private func load(_ request: ImageRequest, _ progress: Batch.Progress) async throws(ImageError) -> LoadedImage {
            guard progress.isShown else { return try await manager.image(for: request) }
            let task = manager.task(for: request)
            let result = await withTaskCancellationHandler {
                for await event in task.events {
                    switch event {
                    case .progress(let step): progress.update(received: step.received, expected: step.expected)
                    case .finished(let result): return result
                    case .preview, .stale: break
                    }
                }
                return .failure(.cancelled())
            } onCancel: {
                task.cancel()
            }
            return try result.get()
        }
    }

    /// The outcome of one source of `gannet fetch`.
    enum FetchOutcome: Sendable {
        case loaded(FetchReport)
        /// The load failed, after its explanation.
        case explained(LoadExplanation, ImageError)
    }

    extension LoadExplanation {
        var json: JSON {
            let steps = steps.map { step in
                JSON.object([
                    ("place", .string(step.place)), ("state", .string(step.state.rawValue)), ("reason", .string(step.reason)),
                ])
            }
            let gainMap = gainMap.map { [("gainMap", JSON.string($0))] } ?? []
            return .object([("steps", .array(steps))] + gainMap + [("verdict", .string(verdict))])
        }

        /// For people.
        var lines: [String] { description.split(separator: "\n").map { "  " + Console.clean(String($0)) } }
    }

    /// The result that `gannet fetch` prints for one source.
    struct FetchReport: Sendable {
        var origin: LoadedImage.Origin
        var wasJoined: Bool
        var format: String?
        var size: PixelSize
        var frames: Int
        /// Pages of a document, of which the first is the image.
        var pages: Int
        /// The file ends early or is damaged.
        var isPartial: Bool
        /// The size of the encoded image as loaded; nil if only a finished image was needed.
        var bytes: Int?
        var milliseconds: Double
        /// Nil: nothing was to be written.
        var written: FetchWriter.Written?
        var explanation: LoadExplanation?
        /// Nil: the image has none.
        var gainMap: GainMapFacts?
        /// Of the source's Content Credentials.
        var credentialBytes: Int
        /// Elements of a drawing that are not drawn; looked for with an explanation only.
        var omissions: [String] = []

        init(_ loaded: LoadedImage, _ explanation: LoadExplanation?) {
            origin = loaded.origin
            wasJoined = loaded.wasJoined
            format = (loaded.image.metadata.format ?? loaded.encoded?.format)?.identifier
            size = loaded.size
            frames = loaded.image.frameCount
            pages = loaded.image.metadata.pageCount
            isPartial = loaded.image.metadata.isPartial
            bytes = loaded.encoded?.bytes.count
            milliseconds = Readable.milliseconds(loaded.timings.total)
            let map = loaded.bitmap.gainMap?.source.encoded ?? loaded.image.metadata.unusedGainMap
            gainMap = map.map { GainMapFacts($0) }
            credentialBytes = loaded.image.metadata.credentialBytes
            self.explanation = explanation
            if explanation != nil, let encoded = loaded.encoded {
                omissions = Omissions.of(encoded.bytes, loaded.image.metadata.format ?? encoded.format)
            }
        }

        /// Parts of the source that are not in the file.
        var notes: [String] {
            guard let written, !written.isOriginal else { return [] }
            let note =
                pages > 1
                ? WrittenImage.pageNote(pages, other: "gannet convert --page 1")
                : written.frames.flatMap { WrittenImage.frameNote(had: frames, wrote: $0, as: written.format) }
            return [note, written.gainMapLoss, WrittenImage.credentialsLoss(credentialBytes)].compactMap { $0 }
        }

        func json(source: String) -> JSON {
            var fields: [(String, JSON)] = [
                ("source", .string(source)), ("ok", .bool(true)), ("origin", .string(origin.rawValue)),
                ("joined", .bool(wasJoined)),
                ("format", .optional(format)), ("width", .integer(size.width)), ("height", .integer(size.height)),
                ("frames", .integer(frames)), ("bytes", .optional(bytes)), ("milliseconds", .number(milliseconds)),
                ("output", .optional(written?.path)),
            ]
            if isPartial { fields.append(("partial", .bool(true))) }
            if let outputBytes = written?.bytes { fields.append(("outputBytes", .integer(outputBytes))) }
            if let gainMap { fields.append(("gainMap", gainMap.json)) }
            if let explanation { fields.append(("explain", explanation.json)) }
            return .object(fields + FileHeader.omissionFields(omissions))
        }

        func lines(source: String) -> [String] {
            var what = "\(format ?? "image") \(size.width)×\(size.height)"
            if frames > 1 { what += ", \(frames) frames" }
            if isPartial { what += PartialOptions.remark }
            if let bytes { what += ", \(Readable.bytes(bytes))" }
            var line = "\(Console.clean(source)): \(what), from \(origin.rawValue)\(wasJoined ? " (shared)" : "")"
            line += " in \(milliseconds.fixed(1)) ms"
            if let written { line += " → \(Console.clean(written.path))" }
            guard let explanation else { return [line] }
            let notes = [gainMap?.line, FileHeader.omissionNote(omissions)].compactMap { $0 }
            return explanation.lines + notes.map { "  " + $0 } + [line]
        }
    }
#endif
