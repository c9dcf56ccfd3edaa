#if CommandLine && Server
    import ArgumentParser
    import GannetCore
    import GannetHTTP
    import GannetServer
    import GannetSharedCaches
    import Glibc

    /// Stores that several services share.
    struct SharedOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "Shares small answers and the work for them with other services: redis://HOST:PORT/DB or unix:/PATH, with USER:PASSWORD@ before HOST where it asks for them. Nodes of a cluster have commas between them: redis://a:7000,b:7000.",
                valueName: "url"))
        var redis: String?

        @Option(
            help: ArgumentHelp(
                "Shares all answers with other services, through a bucket of S3. Credentials come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
                valueName: "bucket[/prefix]"))
        var s3: String?

        @Option(help: ArgumentHelp("A server with the API of S3. (default: AWS)", valueName: "url"))
        var s3Endpoint: String?

        @Option(help: ArgumentHelp("The region of the bucket.", valueName: "name"))
        var s3Region = "us-east-1"

        @Flag(help: "Shares sources too, through the bucket.")
        var shareSources = false

        /// Here, because the parser would repeat a wrong value with its password.
        func validate() throws {
            do throws(ImageError) { _ = try redisAddress } catch { throw ValidationError("--redis: \(error.message)") }
            do throws(ImageError) { _ = try location } catch { throw ValidationError("--s3: \(error.message)") }
            if s3 == nil, shareSources { throw ValidationError("--share-sources needs --s3.") }
            if s3 != nil, credentials == nil {
                throw ValidationError("--s3 needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.")
            }
        }

        private var redisAddress: RedisAddress? {
            get throws(ImageError) {
                guard let redis else { return nil }
                return try RedisAddress(parsing: redis)
            }
        }

        private var location: S3Location? {
            get throws(ImageError) {
                guard let s3 else { return nil }
                return try S3Location(s3, endpoint: s3Endpoint, region: s3Region)
            }
        }

        var credentials: S3Credentials? {
            S3Credentials { name in getenv(name).map { String(cString: $0) } }
        }

        /// The records of all services that share Redis; nil: there is none. Connects to nothing yet.
        func purges(report: @escaping @Sendable (String) -> Void) throws(ImageError) -> RedisPurges? {
            try redisAddress.map { RedisPurges($0, report: report) }
        }

        /// Connects to nothing yet. `report` gets a line when a server goes, and one when it comes back.
        func stores(report: @escaping @Sendable (String) -> Void) throws(ImageError) -> SharedStores {
            var stores = SharedStores()
            stores.redis = try redisAddress.map { RedisResponseStore($0, report: report) }
            if let location = try location, let credentials {
                let limits = S3Limits()
                stores.s3 = S3Cache(location, credentials, transport: try CURLTransport(), limits: limits, report: report)
            }
            return stores
        }
    }
#endif
