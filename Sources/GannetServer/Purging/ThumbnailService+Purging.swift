#if Server
    import GannetCore
    import GannetFetch
    import GannetImages
    import GannetPlatform
    import GannetSupport

    /// Purges, and how responses stay clear of what was purged.
    extension ThumbnailService {
        /// How often a response is made that was purged meanwhile. A load that began before a purge is joined once at most.
        static let makings = 3

        /// Nil: the request is for something else, or purges are not asked for here.
        func purge(_ request: Request, _ configuration: Configuration) async -> Response? {
            let target = Self.originForm(request.target)
            guard let keys = configuration.purgeKeys, let purges, PurgeRequest.isMeant(target) else { return nil }
            guard ["POST", "PURGE"].contains(request.method) else {
                return Self.problem(405, "A purge is sent with POST or PURGE.", [("Allow", "POST, PURGE")])
            }
            do throws(ImageError) {
                let asked = try PurgeRequest(target, keys: keys, now: manager.configuration.time.now)
                guard purges.isDurable || shared.s3 == nil else {
                    throw ImageError(
                        .io, stage: .store, "Responses are shared through S3, and purges need --redis or a cache folder.")
                }
                let end = Timestamp(milliseconds: asked.expires * 1000)
                let moment = try await purges.purge(asked.scopes, nonce: (asked.nonce, end))
                await removeHere(asked.scopes)
                let keys = asked.scopes.compactMap { $0.surrogateKey }
                let text = JSON.object([
                    ("ok", .bool(true)), ("number", .integer(Int(moment.number))), ("scopes", .integer(asked.scopes.count)),
                    ("shared", .bool(purges.isShared)), ("surrogateKeys", .array(keys.map { .string($0) })),
                ]).text
                return Self.text(text + "\n", "application/json")
            } catch {
                return Self.refusal(error)
            }
        }

        private static func refusal(_ error: ImageError) -> Response {
            switch error.code {
            case .misuse: problem(400, error.message, [("X-Gannet-Code", error.code.name)])
            case .limitExceeded: problem(503, error.message, [("Retry-After", "60")])
            case .blocked: problem(403, error.message, [("X-Gannet-Code", error.code.name)])
            case .network, .io: unstored(error)
            default: response(error)
            }
        }

        private static func unstored(_ error: ImageError) -> Response {
            var response = problem(503, "The purge cannot be stored, and nothing was purged; try again.", [("Retry-After", "1")])
            response.failure = error.message
            return response
        }

        /// Removes the files of the sources that were named. Other entries are void, and leave when they are replaced or evicted.
        private func removeHere(_ scopes: [PurgeScope]) async {
            for case .source(let source) in scopes { try? await manager.configuration.diskCache?.removeAll(of: source) }
        }

        // MARK: Responses

        func isVoid(_ response: StoredResponse, _ key: ResponseKey) -> Bool {
            purges?.log.isVoid(key.scopes, response.freshness) ?? false
        }

        /// The response that another machine stored; nil: it is void.
        func imported(_ response: StoredResponse?, _ key: ResponseKey) -> StoredResponse? {
            guard let purges, var response else { return response }
            guard let freshness = purges.log.imported(key.scopes, response.freshness) else { return nil }
            response.freshness = freshness
            return response
        }

        /// For other machines; nil: it is void by now.
        func exported(_ response: StoredResponse, _ key: ResponseKey) -> StoredResponse? {
            guard let purges else { return response }
            guard let freshness = purges.log.exported(key.scopes, response.freshness) else { return nil }
            var response = response
            response.freshness = freshness
            return response
        }

        /// Makes a value again that is void: it joined work that began before a purge, or is behind a stored redirect, and only one of both was
        /// purged. From the second time on all that leads to it is asked for.
        func current<R>(
            _ scopes: PurgeScopes, _ make: (_ asksAgain: Bool) async throws(ImageError) -> (value: R, freshness: Freshness?)
        ) async throws(ImageError) -> R {
            for attempt in 1...Self.makings {
                let made = try await make(attempt > 1)
                guard let freshness = made.freshness, purges?.log.isVoid(scopes, freshness) == true else { return made.value }
                // A request in the millisecond of the purge counts as older.
                if attempt < Self.makings { try await manager.configuration.time.sleep(for: .milliseconds(2)) }
            }
            throw ImageError(.cancelled, stage: .load, "The source was purged again and again while it was loaded; try again.")
        }

        /// By which a CDN in front can purge what it has.
        func surrogateKeys(_ address: ThumbnailAddress, _ freshness: Freshness, _ configuration: Configuration) -> [(
            String, String
        )] {
            guard configuration.purgeKeys != nil, purges != nil else { return [] }
            let sources = [address.source] + address.otherSources.map(\.url)
            let keys =
                sources.map { PurgeScopes(ofSource: ImageSource($0).keyText).surrogateKey }
                + freshness.tags.filter { $0 != ResponseTags.tooMany }
            return [("Cache-Tag", keys.joined(separator: ",")), ("Surrogate-Key", keys.joined(separator: " "))]
        }
    }

    extension PurgeScope {
        /// Under which a CDN has it; nil for prefixes, which have none.
        var surrogateKey: String? {
            switch self {
            case .source(let text): PurgeScopes(ofSource: text).surrogateKey
            case .tag(let tag): tag
            case .prefix, .everything: nil
            }
        }
    }
#endif
