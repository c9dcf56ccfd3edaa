#if CommandLine && Server
    import ArgumentParser
    import FoundationEssentials
    import GannetCache
    import GannetCore
    import GannetHTTP
    import GannetPlatform
    import GannetServer
    import GannetSharedCaches
    import GannetSupport

    extension CacheCommand {
        struct Purge: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Makes void what a service and others have of sources.",
                discussion: """
                    Without --service: removes the entries from the cache folder. Services that use the folder deliver nothing older than this \
                    within a second; with --redis so do all services that share this Redis.
                    With --service: asks a service, which needs the same key as --purge-key-file.

                    Examples:
                      gannet cache purge --source https://images.example.org/a.jpg
                      gannet cache purge --prefix https://images.example.org/spring --redis redis://10.1.0.5
                      gannet cache purge --tag product-17 --service http://10.1.0.7:8080 --key-file purge-key.txt
                    """)

            @Option(help: ArgumentHelp("A source, as in addresses; may be repeated.", valueName: "url"))
            var source: [String] = []

            @Option(
                help: ArgumentHelp("All sources at this URL or below it; may be repeated.", valueName: "url"))
            var prefix: [String] = []

            @Option(
                help: ArgumentHelp(
                    "All sources whose server sent this in Cache-Tag or Surrogate-Key; may be repeated.", valueName: "tag"))
            var tag: [String] = []

            @Flag(help: "Everything.")
            var everything = false

            @Option(help: ArgumentHelp("The service to ask, as http://10.1.0.7:8080.", valueName: "url"))
            var service: String?

            @Option(help: ArgumentHelp("A file with the key of --service.", valueName: "file"), completion: .file())
            var keyFile: String?

            @Option(help: ArgumentHelp("Where services share their purges, as --redis of `gannet serve`.", valueName: "url"))
            var redis: String?

            @OptionGroup var options: Options

            func validate() throws {
                if parameters.isEmpty { throw ValidationError("Name a --source, a --prefix or a --tag, or say --everything.") }
                if (service == nil) != (keyFile == nil) { throw ValidationError("--service and --key-file belong together.") }
                if service != nil, redis != nil { throw ValidationError("--service knows its own --redis: leave it out.") }
                do throws(ImageError) { _ = try scopes } catch { throw ValidationError(error.message) }
                // Here, because the parser would repeat a wrong value with its password.
                do throws(ImageError) { _ = try redisAddress } catch { throw ValidationError("--redis: \(error.message)") }
            }

            private var parameters: [(name: String, value: String)] {
                source.map { ("source", $0) } + prefix.map { ("prefix", $0) } + tag.map { ("tag", $0) }
                    + (everything ? [("everything", "1")] : [])
            }

            private var scopes: [PurgeScope] {
                get throws(ImageError) {
                    var scopes: [PurgeScope] = everything ? [.everything] : []
                    for text in source { scopes.append(try .ofSource(text)) }
                    for text in prefix { scopes.append(try .ofPrefix(text)) }
                    for text in tag { scopes.append(try .ofTag(text)) }
                    return scopes
                }
            }

            private var redisAddress: RedisAddress? {
                get throws(ImageError) {
                    guard let redis else { return nil }
                    return try RedisAddress(parsing: redis)
                }
            }

            func run() async throws {
                if let service, let keyFile { return try await ask(service, keyFile) }
                try await options.withCache { cache throws(ImageError) in
                    let scopes = try scopes
                    let folder = (try? POSIXFileSystem().status(options.folder.path)) == nil ? nil : options.folder.path
                    let purges = Purges(folder: folder, redis: try redisAddress.map { RedisPurges($0) }) {
                        Console.warn($0)
                    }
                    await purges.start()
                    // First the record: what a service stores meanwhile is void too.
                    let moment = try await purges.purge(scopes)
                    var removed = 0
                    for item in try await cache.items() where isMeant(item, scopes, cache) {
                        try await cache.remove(item.key)
                        removed += 1
                    }
                    if options.json {
                        return Console.print(
                            JSON.object([
                                ("ok", .bool(true)), ("number", .integer(Int(moment.number))), ("removed", .integer(removed)),
                            ]))
                    }
                    Console.print("Removed \(removed) entries.")
                }
            }

            private func isMeant(_ item: DiskCacheItem, _ scopes: [PurgeScope], _ cache: DiskCache) -> Bool {
                let text = String(item.key.text.prefix { $0 != "\u{1}" })
                return scopes.contains { $0.covers(text, tags: item.metadata.freshness.tags) }
                    || source.contains { item.matches($0) { cache.scopeKey } }
            }

            private func ask(_ service: String, _ keyFile: String) async throws {
                do throws(ImageError) {
                    let keys = SigningKeys(keys: [SigningKeys.Key(secret: try SigningKeys.read(keyFile))])
                    let target = try PurgeRequest.target(parameters, keys: keys, now: SystemTimeSource().now)
                    let base = service.hasSuffix("/") ? String(service.dropLast()) : service
                    guard let url = URL(asWritten: base + target), ["http", "https"].contains(url.scheme?.lowercased()) else {
                        throw ImageError(.misuse, stage: .resolve, "--service wants a URL as http://10.1.0.7:8080.")
                    }
                    let limit = Duration.seconds(10)
                    let request = HTTPRequest(
                        method: "POST", url: url, headers: HTTPHeaders(), body: [],
                        deadlines: LoadDeadlines(connect: limit, idle: limit, total: limit))
                    let response = try await CURLTransport().send(request)
                    var body: [UInt8] = []
                    while body.count < 64 << 10, let piece = try await response.body.next() { body += piece }
                    let text = String(decoding: body.last == 10 ? body.dropLast() : body[...], as: UTF8.self)
                    guard response.head.status == 200 else {
                        throw ImageError(
                            .httpStatus, stage: .load, "It answers with status \(response.head.status): \(Console.clean(text))",
                            httpStatus: response.head.status)
                    }
                    Console.print(options.json ? text : "Purged.")
                } catch {
                    if options.json { Console.print(error.json(source: service)) }
                    Console.report(error, source: service)
                    throw ExitCode(1)
                }
            }
        }
    }
#endif
