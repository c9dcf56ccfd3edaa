package import GannetCore

// Whose response it is.

extension FetchJob {
    /// Whether the response depends on a field that the loader adds automatically: a cookie, or a login that the request does not
    /// contain. `Vary` keeps the bytes of different users apart. Keys do not, because they are made before the request is sent,
    /// so images made from such bytes must not be stored under them.
    func dependsOnUnkeyedUser(_ response: StoredHTTPResponse?) -> Bool {
        guard let response else { return false }
        let vary = HTTPVary(response.headers)
        guard !vary.names.isEmpty, !HTTPVary.userFields.isDisjoint(with: vary.names) else { return false }
        return Self.dependsOnUnkeyedUser(vary, plainLoad, loader)
    }

    package static func dependsOnUnkeyedUser(_ vary: HTTPVary, _ load: LoadRequest, _ loader: any ImageLoader) -> Bool {
        let own = load.download
        if vary.names.contains("cookie"), own.cookies, !own.headers.contains("Cookie") { return true }
        guard vary.names.contains("authorization"), !own.headers.contains("Authorization"),
            let sent = loader.requestHeaders(for: load)["Authorization"]
        else { return false }
        return sent != own.credential?.headerValue
    }
}
