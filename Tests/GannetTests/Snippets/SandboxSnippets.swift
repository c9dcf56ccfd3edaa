import Gannet
public import GannetCore

/// Compiled for the pages about the sandbox.
func sandboxSnippets() async throws {
    var options = StandardOptions()
    options.isolation = .automatic
    let manager = ImageManager(configuration: try .standard(options))
    let image = try await manager.image(for: ImageRequest("https://example.org/upload.heic", .isolation(.sandboxed)))
    print(image)
}

extension FarbfeldCoder: WorkerLoadable {}
