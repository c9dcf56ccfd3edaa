import FoundationEssentials
package import GannetCore

extension RedirectPolicy {
    /// The request that follows `head`; nil if it is no redirect to follow, and is the response itself. Throws `hookRefused`
    /// for forbidden schemes and `protocolViolation` for invalid locations.
    package func next(after head: HTTPResponseHead, to request: HTTPRequest) throws(ImageError) -> HTTPRequest? {
        guard follows, HTTPCachePolicy.redirectStatuses.contains(head.status), let location = head.headers["Location"] else {
            return nil
        }
        guard let target = URL(asWritten: location, relativeTo: request.url)?.absoluteURL else {
            throw ImageError(.protocolViolation, stage: .load, "The server redirects to something that is no URL.")
        }
        let scheme = target.scheme?.lowercased() ?? ""
        guard scheme == "http" || scheme == "https" else {
            throw ImageError(
                .hookRefused, stage: .load,
                "The server redirects to the scheme “\(scheme.prefix(32))”; only http and https are followed.")
        }
        if let fault = target.authorityFault {
            throw ImageError(.protocolViolation, stage: .load, "The server's redirect leads nowhere: \(fault).")
        }
        if request.url.scheme?.lowercased() == "https", scheme == "http", !allowsDowngrade {
            throw ImageError(
                .hookRefused, stage: .load,
                "The server redirects from https to http. Set redirects.allowsDowngrade to follow it.")
        }
        var result = request
        // A server must not choose the name and password for another.
        result.url = target.withoutUserInfo
        // 303, and 301 or 302 after POST, become GET, as in every browser (RFC 9110 §15.4).
        if (head.status == 303 && request.method != "HEAD") || ([301, 302].contains(head.status) && request.method == "POST") {
            result.method = "GET"
            result.body = nil
            for name in ["Content-Type", "Content-Length", "Content-Encoding"] { result.headers.remove(name) }
        }
        if HTTPOrigin(request.url) != HTTPOrigin(target) {
            removeFieldsOfOrigin(from: &result.headers)
            result.trustsAnyCertificate = false
        }
        return result
    }

    /// Removes fields that are for one origin only.
    func removeFieldsOfOrigin(from headers: inout HTTPHeaders) {
        for name in ["Authorization", "Cookie", "Proxy-Authorization", "Host"] { headers.remove(name) }
        for name in fieldsOfOrigin { headers.remove(name) }
    }
}

extension ResolvedDownloadOptions {
    /// Removes what is for the origin that the request was made for: another one is asked.
    package mutating func leaveOrigin(_ redirects: RedirectPolicy) {
        credential = nil
        redirects.removeFieldsOfOrigin(from: &headers)
    }
}
