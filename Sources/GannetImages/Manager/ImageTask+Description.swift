import GannetCore

// What `print` shows of a load: one line, without secrets.

extension ImageTask: CustomStringConvertible {
    /// The request, and how far it is: the bytes received, the image, or the error.
    public var description: String {
        switch result {
        case nil: "\(request): \(snapshot.progress)"
        case .success(let loaded): "\(request): \(loaded)"
        case .failure(let error): "\(request): \(error)"
        }
    }
}

extension ImageTaskEvent: CustomStringConvertible {
    /// The event's name and what it carries: `progress: 12 of 400 bytes`.
    public var description: String {
        switch self {
        case .progress(let progress): "progress: \(progress)"
        case .preview(let image): "preview: \(image)"
        case .stale(let loaded): "stale: \(loaded)"
        case .finished(.success(let loaded)): "finished: \(loaded)"
        case .finished(.failure(let error)): "failed: \(error)"
        }
    }
}
