package import GannetCore

/// Loads bytes that are already in memory.
package struct MemoryLoader: ImageLoader {
    /// Has no options: the bytes come with each request.
    package init() {}

    package var identifier: String { "memory" }
    package var isRemote: Bool { false }

    package func canLoad(_ source: ImageSource) -> Bool { if case .data = source { true } else { false } }

    package func load(_ request: LoadRequest) async throws(ImageError) -> LoadResponse {
        guard case .data(let rope, _) = request.source else {
            throw ImageError(.misuse, stage: .load, "The source is not in memory.", source: request.source.redactedDescription)
        }
        guard rope.count <= request.maximumBytes else {
            throw ImageError(
                .limitExceeded, stage: .load,
                "The data has \(rope.count) bytes; the limit is \(request.maximumBytes). Raise maximumEncodedBytes to allow it.")
        }
        var whole = rope
        whole.isComplete = true
        return LoadResponse(body: .bytes(whole), origin: .data, expectedBytes: whole.count)
    }
}

/// Calls the user's `ImageDataProvider`.
package struct ProviderLoader: ImageLoader {
    /// Has no options: the provider comes with each request.
    package init() {}

    package var identifier: String { "provider" }

    package func canLoad(_ source: ImageSource) -> Bool { if case .provider = source { true } else { false } }

    /// Throws the provider's errors, as `underlying` of an `io` error unless it is an `ImageError` or a cancellation.
    @concurrent
    package func load(_ request: LoadRequest) async throws(ImageError) -> LoadResponse {
        guard case .provider(let provider) = request.source else {
            throw ImageError(.misuse, stage: .load, "The source is no provider.", source: request.source.redactedDescription)
        }
        let bytes: [UInt8]
        do {
            if let maker = provider as? ImageMaker {
                let image = try await maker.make()
                try ImageError.checkCancellation(stage: .load)
                return LoadResponse(body: .image(image), origin: .data)
            }
            bytes = try await provider.data()
        } catch {
            throw ImageError(error, code: .io, stage: .load, "The provider \(provider.cacheKey.prefix(64)) failed.")
        }
        try ImageError.checkCancellation(stage: .load)
        guard bytes.count <= request.maximumBytes else {
            throw ImageError(
                .limitExceeded, stage: .load,
                "The provider gave \(bytes.count) bytes; the limit is \(request.maximumBytes). Raise maximumEncodedBytes to allow it."
            )
        }
        return LoadResponse(body: .bytes(ByteRope(bytes)), origin: .data, expectedBytes: bytes.count)
    }
}
