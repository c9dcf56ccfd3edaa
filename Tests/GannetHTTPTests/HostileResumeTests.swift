#if HTTP
    import FoundationEssentials
    import GannetCore
    import GannetHTTP
    import GannetCache
    import GannetFetch
    import GannetTestSupport
    import GannetTesting
    import Glibc
    import Synchronization
    import Testing

    /// Transfers that break, continued from the disk by a later process, over real sockets: the rest is believed only where nothing but the
    /// rest is possible. U-16, NK-01
    @Suite struct HostileResumeTests {
        static let whole = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        static let new = (0..<30_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        static let cut = 20_000

        struct Case: Sendable, CustomTestStringConvertible {
            var name: String
            /// Of the loads: all but the last one fail.
            var loads = 2
            /// Which of the requests asked for the rest.
            var ranges: [Bool]
            var expected = whole
            /// To requests for the rest, with the place where it begins.
            var rest: @Sendable (RawConnection, Int) -> Void
            var testDescription: String { name }
        }

        static func part(
            _ connection: RawConnection, tag: String? = "\"v1\"", range: String? = nil, length: Int? = nil, fields: String = "",
            _ body: [UInt8] = Array(whole[cut...])
        ) {
            var head = "HTTP/1.1 206 Partial Content\r\nContent-Length: \(length ?? body.count)\r\n" + fields
            if let tag { head += "ETag: \(tag)\r\n" }
            head += "Content-Range: \(range ?? "bytes \(cut)-39999/40000")\r\n\r\n"
            connection.write(Array(head.utf8) + body)
        }

        static func all(_ connection: RawConnection, tag: String = "\"v1\"", _ body: [UInt8] = whole) {
            connection.write(Array("HTTP/1.1 200 OK\r\nETag: \(tag)\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body)
        }

        static func wrongRange(_ range: String) -> Case {
            Case(name: "Content-Range: \(range)", ranges: [false, true, false]) { connection, _ in part(connection, range: range)
            }
        }

        static let continued: [Case] = [
            Case(name: "the rest", ranges: [false, true]) { connection, _ in part(connection) },
            Case(name: "the rest, without a validator", ranges: [false, true]) { connection, _ in part(connection, tag: nil) },
            Case(name: "the rest in chunks", ranges: [false, true]) { connection, _ in
                let head =
                    "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes \(cut)-39999/40000\r\nTransfer-Encoding: chunked\r\n\r\n4e20\r\n"
                connection.write(Array(head.utf8) + whole[cut...] + Array("\r\n0\r\n\r\n".utf8))
            },
            Case(name: "a rest that breaks, too", loads: 3, ranges: [false, true, true]) { connection, start in
                if start == cut { return part(connection, length: 20_000, Array(whole[cut..<30_000])) }
                part(connection, range: "bytes 30000-39999/40000", Array(whole[30_000...]))
            },
            Case(name: "a reset instead of the rest", loads: 3, ranges: [false, true, true]) { connection, _ in
                // Once: the next connection of this server is the fourth.
                connection.count < 3 ? connection.reset() : part(connection)
            },
            Case(name: "a server error instead of the rest", loads: 3, ranges: [false, true, true]) { connection, _ in
                guard connection.count < 3 else { return part(connection) }
                connection.write("HTTP/1.1 503 Busy\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbusy")
            },
        ]

        static let changed: [Case] = [
            Case(name: "a new picture", ranges: [false, true], expected: new) { connection, _ in
                all(connection, tag: "\"v2\"", new)
            },
            Case(name: "the whole, and not the rest", ranges: [false, true]) { connection, _ in all(connection) },
            Case(name: "the rest of another picture", ranges: [false, true, false]) { connection, _ in
                part(connection, tag: "\"v2\"", [UInt8](repeating: 1, count: 20_000))
            },
            Case(name: "the rest with a weak tag", ranges: [false, true, false]) { connection, _ in
                part(connection, tag: "W/\"v1\"")
            },
            Case(name: "no range any more", ranges: [false, true, false]) { connection, _ in
                connection.write("HTTP/1.1 416 Range Not Satisfiable\r\nContent-Range: bytes */100\r\nContent-Length: 0\r\n\r\n")
            },
            Case(name: "not modified", ranges: [false, true, false]) { connection, _ in
                connection.write("HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n")
            },
            Case(name: "several parts", ranges: [false, true, false]) { connection, _ in
                let body = "--x\r\nContent-Range: bytes 20000-39999/40000\r\n\r\nabc\r\n--x--\r\n"
                connection.write(
                    "HTTP/1.1 206 Partial Content\r\nContent-Type: multipart/byteranges; boundary=x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                )
            },
        ]

        static let wrong: [Case] =
            [
                "bytes 19999-39999/40000", "bytes 20001-39999/40000", "bytes 20000-39998/40000", "bytes 20000-39999/40001",
                "bytes 20000-39999/*", "bytes 0-39999/40000", "bytes 20000-39999/40000, bytes 0-1/40000",
                "items 20000-39999/40000",
                "bytes 20000-99999999999999999999/40000", "bytes=20000-39999/40000", "",
            ].map { wrongRange($0) } + [
                Case(name: "less than it says", ranges: [false, true, false]) { connection, _ in
                    part(connection, length: 19_000, Array(whole[cut..<39_000]))
                },
                Case(name: "more than it says", ranges: [false, true, false]) { connection, _ in
                    part(connection, length: 20_001, whole[cut...] + [0])
                },
                Case(name: "more than it says, in chunks", ranges: [false, true, false]) { connection, _ in
                    let head =
                        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes \(cut)-39999/40000\r\nTransfer-Encoding: chunked\r\n\r\n4e21\r\n"
                    connection.write(Array(head.utf8) + whole[cut...] + Array("0\r\n0\r\n\r\n".utf8))
                },
                // A compressed rest is part of another sequence of bytes.
                Case(name: "a compressed rest", ranges: [false, true, false]) { connection, _ in
                    part(connection, fields: "Content-Encoding: gzip\r\n", Packed.deflated(Array(whole[cut...])))
                },
                Case(name: "two ranges in two fields", ranges: [false, true, false]) { connection, _ in
                    part(connection, fields: "Content-Range: bytes 0-19999/40000\r\n")
                },
            ]

        @Test(arguments: continued + changed + wrong)
        func `A server is asked for the rest`(_ example: Case) async throws {
            var template = Array("/tmp/gannet-resume-XXXXXX".utf8CString)
            let folder = try #require(
                template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } })
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let asked = Mutex<[Bool]>([])
            let server = RawServer { connection in
                guard let head = connection.readHead() else { return }
                let start = AuthenticationTests.field("Range", head).flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
                let number = asked.withLock { asked in
                    asked.append(start != nil)
                    return asked.count
                }
                if let start { return example.rest(connection, start) }
                guard number == 1 else { return Self.all(connection) }
                let fields = "ETag: \"v1\"\r\nCache-Control: max-age=60\r\nContent-Length: \(Self.whole.count)\r\n\r\n"
                connection.write(Array((HostileCase.ok + fields).utf8) + Self.whole[..<Self.cut])
            }
            for number in 1...example.loads {
                // Each rig acts as a new process, which knows only what is on disk.
                let rig = try Rig()
                let cache = DiskCache(DiskCacheConfiguration(directory: folder))
                let fetcher = ByteFetcher(
                    loaders: LoadersManager([rig.loader]), cache: cache, slots: rig.loader.slots,
                    failedSources: FailedSources(age: .zero))
                do throws(ImageError) {
                    let fetched = try await fetcher.fetch(rig.request(server.url("/a.png")))
                    #expect(number == example.loads, "it ends too early")
                    #expect(fetched.encoded?.bytes.contiguous() == example.expected)
                    try await cache.flush()
                    let stored = try await DiskCache(DiskCacheConfiguration(directory: folder)).usage()
                    #expect(stored.count == 1, "a part stays beside the whole")
                } catch {
                    #expect(number < example.loads, "\(error)")
                    try await cache.flush()
                }
            }
            #expect(asked.withLock { $0 } == example.ranges)
        }
    }
#endif
