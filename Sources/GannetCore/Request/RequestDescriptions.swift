// What `print` shows of requests: one line each, without passwords, tokens, or values of queries and header fields.

extension TargetSize: CustomStringConvertible {
    /// `fit 400×300`; a side that follows from the other one is `any`.
    public var description: String {
        "\(mode) \(width.map { "\($0)" } ?? "any")×\(height.map { "\($0)" } ?? "any")"
    }
}

extension ImageRequest: CustomStringConvertible {
    /// The source, then what is set of method, target, lookup, priority and transformers: `https://example.org/a.jpg, fit 400×300`.
    public var description: String {
        var parts = [source.redactedDescription]
        if let method = download.method { parts.append(method) }
        if let part = decode.region { parts.append("region \(part.width)×\(part.height) at \(part.x), \(part.y)") }
        switch decode.target {
        case .size(let size): parts.append("\(size)")
        case .original: parts.append("original size")
        case nil: break
        }
        if let lookup = cache.lookup { parts.append("\(lookup)") }
        if let priority = schedule.priority { parts.append("priority \(priority)") }
        let transformers = (transform.transformers?.count ?? 0) + transform.appended.count
        if transformers > 0 { parts.append("\(transformers) transformer\(transformers == 1 ? "" : "s")") }
        return parts.joined(separator: ", ")
    }
}
