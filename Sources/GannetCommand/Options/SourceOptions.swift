#if CommandLine && Server
    import ArgumentParser
    import GannetCore
    import GannetFetch
    import GannetHTTP
    import GannetServer
    import GannetSharedCaches

    /// The sources of the operator: a base URL, a folder, buckets.
    struct SourceOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "Stands before sources without a scheme: a.jpg is https://images.example.org/pictures/a.jpg.", valueName: "url"))
        var baseUrl: String?

        @Option(
            help: ArgumentHelp(
                "The folder of sources like local:///a/b.jpg; nothing outside of it is read.", valueName: "folder"),
            completion: .directory)
        var sourceFolder: String?

        @Option(
            help: ArgumentHelp(
                "A bucket of sources like s3://bucket/a/b.jpg; may be repeated. Credentials, --s3-endpoint and --s3-region are those of --s3.",
                valueName: "bucket"))
        var sourceBucket: [String] = []

        @Option(
            help: ArgumentHelp(
                "A file with the key of encrypted sources: 16, 24 or 32 bytes, or hex: and digits. Addresses with one are signed.",
                valueName: "file"), completion: .file())
        var sourceKeyFile: String?

        var areNone: Bool { baseUrl == nil && sourceFolder == nil && sourceBucket.isEmpty }

        func validate() throws {
            do throws(ImageError) { _ = try baseUrl.map { text throws(ImageError) in try BaseURL(text) } } catch {
                throw ValidationError("--base-url: \(error.message)")
            }
        }

        /// Reads its key; nil: there is none.
        func encryption() throws(ImageError) -> SourceEncryption? {
            guard let sourceKeyFile else { return nil }
            do throws(ImageError) {
                return try SourceEncryption(key: try SigningKeys.read(sourceKeyFile, isKey: false))
            } catch {
                throw ImageError(error.code, stage: .resolve, "--source-key-file: \(error.message)", underlying: error)
            }
        }

        /// Connects to nothing yet, and looks for the folder.
        func configured(_ shared: SharedOptions) throws(ImageError) -> ConfiguredSources {
            var sources = ConfiguredSources()
            sources.encryption = try encryption()
            if let baseUrl { sources.base = try BaseURL(baseUrl) }
            if let sourceFolder {
                do throws(ImageError) { sources.folder = try FolderLoader(sourceFolder) } catch {
                    throw ImageError(error.code, stage: .resolve, "--source-folder: \(error.message)", underlying: error)
                }
            }
            if !sourceBucket.isEmpty, let credentials = shared.credentials {
                var configuration = DownloaderConfiguration()
                configuration.headers.set("User-Agent", "gannet/\(GannetCommand.version)")
                // Without an address policy: the operator alone chooses where this transport connects.
                sources.buckets = try S3Loader(
                    sourceBucket, region: shared.s3Region, endpoint: shared.s3Endpoint, credentials,
                    transport: try CURLTransport(), configuration: configuration)
            }
            return sources
        }

        /// Checks that need both groups of options.
        func validate(with shared: SharedOptions) throws {
            if sourceBucket.isEmpty, shared.s3 == nil, shared.s3Endpoint != nil {
                throw ValidationError("--s3-endpoint needs --s3 or --source-bucket.")
            }
            if sourceBucket.isEmpty { return }
            if shared.credentials == nil {
                throw ValidationError("--source-bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.")
            }
            do throws(ImageError) {
                try S3Loader.check(sourceBucket, region: shared.s3Region, endpoint: shared.s3Endpoint)
            } catch { throw ValidationError("--source-bucket: \(error.message)") }
        }
    }
#endif
