#if CommandLine && HTTP
    import ArgumentParser
    import GannetCore

    /// What several services share.
    struct SharedOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "Shares small answers and the work for them with other services: redis://[user:password@]host[:port][/db] or unix:/path.",
                valueName: "url"))
        var redis: String?

        /// Here, because the parser would repeat a wrong value with its password.
        func validate() throws {
            do throws(ImageError) { _ = try redisAddress } catch { throw ValidationError("--redis: \(error.message)") }
        }

        private var redisAddress: RedisAddress? {
            get throws(ImageError) {
                guard let redis else { return nil }
                return try RedisAddress(parsing: redis)
            }
        }

        /// Connects to nothing yet. `report` gets a line when a server goes, and one when it comes back.
        func stores(report: @escaping @Sendable (String) -> Void) throws(ImageError) -> SharedStores {
            var stores = SharedStores()
            stores.redis = try redisAddress.map { RedisAnswers($0, report: report) }
            return stores
        }
    }
#endif
