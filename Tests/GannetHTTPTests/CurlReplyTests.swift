#if HTTP
    import FoundationEssentials
    import GannetCore
    import GannetTesting
    import Glibc
    import Synchronization
    import Testing

    @testable import GannetFetch

    /// Raw replies of curl's own tests: whole bytes where curl delivers, typed errors where it does not.
    @Suite struct CurlReplyTests {
        struct Example: Decodable, Sendable, CustomTestStringConvertible {
            var id: String
            var name: String
            var options: [String]
            var path: String
            var repliesB64: [String: String]
            var expectErrorcode: Int
            var testDescription: String { "\(id) \(name)" }

            /// In the order of the requests.
            var replies: [[UInt8]] {
                repliesB64.sorted { $0.key < $1.key }.compactMap { Data(base64Encoded: $0.value).map { Array($0) } }
            }
        }

        static let corpus = Corpora.root.map { $0 + "/http/curl-raw-replies.json" }

        static let examples: [Example] = {
            guard let corpus, let data = try? Data(contentsOf: URL(filePath: corpus)) else { return [] }
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return (try? decoder.decode([Example].self, from: data)) ?? []
        }()

        /// Refused although curl accepts them and their lines end properly: compressed transfer codings, which were not
        /// requested. Documentation/HTTPCaching.md says so.
        static let refused: Set<String> = ["curl-1122", "curl-1124"]

        /// Refused by the program curl, because of the terminal, and not by the library.
        static let delivered: Set<String> = ["curl-1425"]

        /// A transfer coding with an invented name: browsers ignore it, and so do older versions of libcurl.
        static let either: Set<String> = ["curl-2119"]

        /// Compressed in ways that only some systems have libraries for.
        static let unreadable: Set<String> = Set(
            (ContentCoding.hasBrotli ? [] : ["curl-314"]) + (ContentCoding.hasZstandard ? [] : ["curl-396"]))

        static func answer(_ example: Example) async throws -> Result<FetchedBytes, ImageError> {
            let replies = example.replies
            let next = Mutex(0)
            let server = RawServer { connection in
                while connection.readHead() != nil {
                    let index = next.withLock { next in
                        defer { next += 1 }
                        return min(next, replies.count - 1)
                    }
                    let port = String(ports.withLock { $0[example.id] ?? 0 })
                    connection.write(Self.replacing("@PORT@", with: port, in: replies[index]))
                    // The last one ends the connection, and those that say so.
                    let text = String(decoding: replies[index], as: UTF8.self).lowercased()
                    if index == replies.count - 1 || text.contains("close") || !text.contains("content-length") { return }
                }
            }
            ports.withLock { $0[example.id] = server.port }
            let rig = try Rig()
            let method = example.options.contains("-I") ? "HEAD" : "GET"
            let result: Result<FetchedBytes, ImageError>
            var request = rig.request("http://127.0.0.1:\(server.port)\(example.path)") { $0.download.method = method }
            request.allowsEmptyBody = true
            do throws(ImageError) { result = .success(try await rig.fetcher.fetch(request)) } catch { result = .failure(error) }
            withExtendedLifetime(server) {}
            return result
        }

        private static let ports = Mutex<[String: Int]>([:])

        private static func replacing(_ name: String, with text: String, in bytes: [UInt8]) -> [UInt8] {
            let name = Array(name.utf8)
            var result: [UInt8] = []
            var index = 0
            while index < bytes.count {
                if bytes[index...].starts(with: name) {
                    result += Array(text.utf8)
                    index += name.count
                } else {
                    result.append(bytes[index])
                    index += 1
                }
            }
            return result
        }

        @Test(.enabled(if: corpus != nil, "GANNET_CORPORA is not set"), arguments: examples)
        func `Delivered exactly when curl delivers`(_ example: Example) async throws {
            let result = try await Self.answer(example)
            if getenv("GANNET_PRINT_CONFORMANCE") != nil {
                print("\(example): curl \(example.expectErrorcode), here \(result)")
            }
            if Self.either.contains(example.id) {
                if case .failure(let error) = result { #expect(error.code == .protocolViolation, "\(error)") }
                return
            }
            let isUnreadable = Self.unreadable.contains(example.id)
            let isRefused = Self.refused.contains(example.id) || isUnreadable
            let isDelivered = example.expectErrorcode == 0 || Self.delivered.contains(example.id)
            switch result {
            case .success(let fetched):
                #expect(isDelivered && !isRefused)
                #expect(fetched.encoded?.bytes.isComplete == true)
            case .failure(let error):
                // curl delivers what came with an error's status.
                if isDelivered, !isRefused, error.code == .httpStatus { return }
                #expect(!isDelivered || isRefused, "\(error)")
                if isDelivered {
                    #expect(error.code == (isUnreadable ? .unsupported : .protocolViolation), "\(error)")
                }
            }
        }
    }
#endif
