import GannetCore

// Pixels: decode and transform, in a slot of the decode gate, on the decoding executor, within the budget.

extension ImageManager {
    func decoding(_ options: ResolvedDecodeOptions) -> ImageDecoding {
        ImageDecoding(
            coders: configuration.coders,
            environment: DecodeEnvironment(
                limits: options.limits, pool: configuration.pool, budget: budget, colorManager: configuration.colorManager,
                // Threads of a library's own only where nothing else wants the processors.
                threads: decodeGate.runningCount <= 1 && decodeGate.waitingCount == 0 ? BlockingExecutor.processorCount : 1))
    }

    private enum Attempt: Sendable {
        case done(DecodedImage)
        case needs(bytes: Int)
    }

    func decode(
        _ bytes: ByteRope, _ options: ResolvedDecodeOptions, _ priority: LivePriority, _ prepared: PreparedRequest
    ) async throws(ImageError) -> DecodedImage {
        let executor = configuration.executor
        return try await observer.stage(.decode, prepared.id) { () throws(ImageError) in
            let image = try await decodeGate.withSlot(priority: priority) { () throws(ImageError) in
                let decoding = decoding(options)
                let attempt = try await executor.run { () throws(ImageError) -> Attempt in
                    let session = try decoding.open(bytes, options)
                    guard let reservation = try decoding.environment.budget.reserve(session.neededBytes) else {
                        return .needs(bytes: session.neededBytes)
                    }
                    defer { withExtendedLifetime(reservation) {} }
                    return .done(try session.decode())
                }
                switch attempt {
                case .done(let image): return image
                case .needs(let count):
                    let reservation = try await budget.reserveWhenFree(count)
                    return try await executor.run { () throws(ImageError) -> DecodedImage in
                        defer { withExtendedLifetime(reservation) {} }
                        return try decoding.open(bytes, options).decode()
                    }
                }
            }
            observer.note(prepared.id, .decoded(prepared.keys.decode))
            return image
        }
    }

    /// Through all transformers; a failure is an error, never the wrong picture under the right key (MG-17).
    func transformed(
        _ image: DecodedImage, _ prepared: PreparedRequest, _ priority: LivePriority
    ) async throws(ImageError) -> DecodedImage {
        let transform = prepared.request.transform
        guard !transform.transformers.isEmpty else { return image }
        if image.isAnimated, !transform.appliesTo.contains(.animated) { return image }
        if image.metadata.isVector, !transform.appliesTo.contains(.vector) { return image }
        let load = prepared.request.context
        let limits = prepared.request.decode.limits
        let pool = configuration.pool
        let executor = configuration.executor
        return try await observer.stage(.transform, prepared.id) { () throws(ImageError) in
            try await decodeGate.withSlot(priority: priority) { () throws(ImageError) in
                try await executor.run { () throws(ImageError) -> DecodedImage in
                    try Transforming(transformers: transform.transformers, pool: pool, limits: limits, load: load).apply(
                        to: image)
                }
            }
        }
    }
}
