import GannetCore

/// Bytes of a broken transfer, and the proof that later bytes belong to them: a strong validator and the total length.
struct BrokenTransfer: Sendable {
    var bytes: ByteRope
    var head: HTTPResponseHead
    var validator: String
    var total: Int
    /// Where the bytes came from.
    var place: StoredPlace

    /// Fewer bytes are not worth a range request.
    static let minimumBytes = 16 << 10

    /// Failures of a transfer that leave bytes which are of the file.
    static func mayContinue(after error: ImageError) -> Bool {
        [.network, .timedOut, .connectionFailed, .cancelled].contains(error.code)
    }

    static var cannotContinue: ImageError {
        ImageError(.protocolViolation, stage: .load, "The part that the server sent does not continue the stored one.")
    }

    /// Nil: the transfer must start again.
    init?(bytes: ByteRope, head: HTTPResponseHead, total: Int?, from place: StoredPlace) {
        guard bytes.count >= Self.minimumBytes, head.status == 200, let total, bytes.count < total,
            let validator = Self.strongValidator(head.headers),
            head.headers["Accept-Ranges"]?.lowercased().trimmedOWS() != "none", !head.headers.contains("Content-Encoding")
        else { return nil }
        self.bytes = bytes
        self.head = head
        self.validator = validator
        self.total = total
        self.place = place
        self.bytes.isComplete = false
    }

    /// A strong tag, or a modification time that is too long ago to hide a second change (RFC 9110 §8.8.2.2).
    static func strongValidator(_ headers: HTTPHeaders) -> String? {
        if headers.contains("ETag") {
            return HTTPCachePolicy.validator("ETag", of: headers).flatMap { HTTPValidators.isWeak($0) ? nil : $0 }
        }
        let zero = Timestamp(milliseconds: 0)
        guard let text = HTTPCachePolicy.validator("Last-Modified", of: headers), let modified = HTTPDate.parse(text, now: zero),
            let date = headers["Date"].flatMap({ HTTPDate.parse($0, now: zero) }), date - modified >= .seconds(60)
        else { return nil }
        return text
    }

    /// The head of the whole, if the answer to the range request is exactly the rest; nil otherwise.
    func whole(continuedBy answer: HTTPResponseHead) -> HTTPResponseHead? {
        // A part of packed bytes continues none of plain ones.
        guard answer.status == 206, answer.headers.combined("Content-Encoding").map({ $0.lowercased() == "identity" }) ?? true,
            let range = answer.headers["Content-Range"].flatMap(ContentRange.init),
            range.first == bytes.count, range.last == total - 1, range.total == total
        else { return nil }
        // Of another URL, equal validators prove nothing (RFC 9110 §8.8.1).
        guard place.isOf(answer.url) else { return nil }
        if let tag = answer.headers["ETag"], let own = head.headers["ETag"], !HTTPValidators.strongMatch(tag, own) { return nil }
        if let time = answer.headers["Last-Modified"], let own = head.headers["Last-Modified"], time != own { return nil }
        var whole = head
        whole.url = answer.url
        for field in answer.headers.fields
        where !["content-range", "content-length", "content-type"].contains(field.name.lowercased()) {
            whole.headers.remove(field.name)
        }
        for field in answer.headers.fields
        where !["content-range", "content-length", "content-type"].contains(field.name.lowercased()) {
            whole.headers.add(field.name, field.value)
        }
        return whole
    }
}

/// `bytes 200-999/1000`
struct ContentRange: Hashable {
    var first: Int
    var last: Int
    /// Nil for `*`.
    var total: Int?

    init?(_ text: String) {
        let words = text.split(whereSeparator: { $0 == " " })
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(digits: ends[0]), let last = Int(digits: ends[1]), first <= last else {
            return nil
        }
        self.first = first
        self.last = last
        if halves[1] != "*" {
            guard let total = Int(digits: halves[1]), last < total else { return nil }
            self.total = total
        }
    }
}
