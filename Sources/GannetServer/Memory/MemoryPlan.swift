#if Server
    package import GannetCore
    package import GannetPlatform

    /// One limit of memory, divided among all that a service and its workers hold. Pure.
    ///
    /// The processes' own memory comes first; the rest is divided by fixed shares, none of which gets more than it had without a
    /// plan, and decodes get what is left. All parts together are never more than the limit.
    package struct MemoryPlan: Equatable, Sendable {
        /// The operator's options, and the machine's facts.
        package struct Wishes: Equatable, Sendable {
            package var limit: Int
            package var processors: Int
            /// Parts that are fixed by options; nil: their share.
            package var responses: Int?
            package var images: Int?
            package var downloads: Int?
            package var unread: Int?
            /// At most.
            package var connections = 4096
            package var downloadsAtOnce = 64
            package var fileBytes = DecodeLimits.standard.maximumEncodedBytes
            package var decodeBytes = 1 << 30

            package init(limit: Int, processors: Int) { (self.limit, self.processors) = (limit, processors) }
        }

        /// All of it.
        package private(set) var limit: Int
        /// The program, and processes that wait for an image.
        package private(set) var processes: Int
        /// Decodes and transforms at once.
        package private(set) var decodesAtOnce: Int
        /// Pixels that each worker keeps for the next image.
        package private(set) var keptPixels: Int
        package private(set) var connections: Int
        package private(set) var maximumConnections: Int
        package private(set) var unread: Int
        package private(set) var responses: Int
        package private(set) var images: Int
        /// Sources that arrive, or wait for a decode.
        package private(set) var downloads: Int
        package private(set) var downloadsAtOnce: Int
        /// One source, which may come in addition.
        package private(set) var file: Int
        /// Pixels between a decode and the end of their encode, and those kept for reuse.
        package private(set) var pixels: Int
        /// Of all decodes, with the workers' copies.
        package private(set) var decodes: Int

        /// Less leaves no room for images.
        package static let minimum = 96 << 20
        /// Of a connection that waits, with its handlers.
        private static let ofConnection = 16 << 10
        private static let program = 40 << 20
        private static let ofWorker = 4 << 20

        /// Throws `misuse` if the limit is too small, or what the options fix leaves nothing for decodes.
        package init(_ wishes: Wishes) throws(ImageError) {
            let mebibyte = 1 << 20
            guard wishes.limit >= Self.minimum else {
                throw ImageError(
                    .misuse, stage: .resolve,
                    "The service needs \(Self.text(Self.minimum)) of memory or more, and its limit is \(Self.text(wishes.limit)). Raise --memory-limit, or the limit of its control group."
                )
            }
            limit = wishes.limit
            decodesAtOnce = min(max(wishes.processors, 1), max(limit / (96 * mebibyte), 1))
            keptPixels = min(max(limit / 64, mebibyte), 64 * mebibyte)
            // With and without fonts, one that has worked for an origin and one that has not; the former keep pixels.
            processes = Self.program + decodesAtOnce * (4 * Self.ofWorker + keptPixels)
            let rest = limit - processes
            func share(_ part: Int, atMost most: Int = .max) -> Int { min(rest / part, most) }
            connections = share(32, atMost: wishes.connections * Self.ofConnection)
            maximumConnections = min(max(connections / Self.ofConnection, 1), wishes.connections)
            unread = wishes.unread ?? share(16, atMost: 128 * mebibyte)
            responses = wishes.responses ?? share(16, atMost: 64 * mebibyte)
            images = wishes.images ?? share(64, atMost: 32 * mebibyte)
            file = share(8, atMost: wishes.fileBytes)
            downloads = wishes.downloads ?? share(12, atMost: wishes.downloadsAtOnce * file)
            downloadsAtOnce = min(wishes.downloadsAtOnce, max(downloads / (2 * mebibyte), 4))
            pixels = share(12, atMost: decodesAtOnce * 128 * mebibyte)
            let others = [connections, unread, responses, images, downloads, file, pixels].reduce(0, +)
            decodes = min(rest - others, wishes.decodeBytes)
            guard rest - others >= rest / 8 else {
                throw ImageError(
                    .misuse, stage: .resolve,
                    "Of \(Self.text(limit)) of memory, \(Self.text(max(rest - others, 0))) are left for decodes. Raise --memory-limit, or lower --answer-memory, --image-memory, --download-memory or --unread-memory."
                )
            }
        }

        /// Of one worker: all decodes' memory, and as much address space again as libraries take for stacks and tables.
        package var ofWorker: Int { decodes + (256 << 20) }

        /// The limit where none was named: that of the control group without a sixteenth, which is for what the kernel counts beside
        /// pages (sockets, tables, files that are being written); else three quarters of the machine's memory. Nil: unknown.
        package static func limit(of system: SystemMemory) -> (bytes: Int, place: String)? {
            if let group = system.groupLimit, group.bytes < system.machineBytes ?? .max {
                return (group.bytes - min(max(group.bytes / 16, 16 << 20), 256 << 20), "the control group")
            }
            return system.machineBytes.map { ($0 / 4 * 3, "the machine") }
        }

        /// Names and bytes, for metrics and the start.
        package var parts: [(name: String, bytes: Int)] {
            [
                ("processes", processes), ("decodes", decodes), ("pixels", pixels), ("downloads", downloads + file),
                ("answers", responses), ("images", images), ("unread", unread), ("connections", connections),
            ]
        }

        /// The plan in a line.
        package var description: String {
            let list = parts.map { "\($0.name) \(Self.text($0.bytes))" }.joined(separator: ", ")
            return "\(Self.text(limit)) of memory: \(list); \(decodesAtOnce) decodes and \(downloadsAtOnce) downloads at once"
        }

        static func text(_ bytes: Int) -> String { "\(bytes >> 20) MiB" }
    }
#endif
