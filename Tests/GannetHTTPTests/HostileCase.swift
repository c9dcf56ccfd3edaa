#if HTTP
    import GannetFetch
    import GannetCore
    import GannetHTTP
    import GannetImages
    import GannetTesting
    import Testing

    /// One attack by a server and its only permitted outcome: complete bytes, or a typed error. A failure leaves nothing in the
    /// cache.
    struct HostileCase: Sendable, CustomTestStringConvertible {
        enum Outcome: Sendable {
            /// So many.
            case bytes(Int)
            case delivers([UInt8])
            case fails([ImageError.Code])
        }

        var name: String
        var outcome: Outcome
        var isHasty = false
        var maximumBytes = 1 << 20
        var serve: @Sendable (RawConnection) -> Void
        var testDescription: String { name }

        static let ok = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n"

        /// To every request.
        static func answer(_ connection: RawConnection, _ text: String) {
            while connection.readHead() != nil { guard connection.write(text) else { return } }
        }

        /// And the connection ends.
        static func once(_ connection: RawConnection, _ text: String) { once(connection, Array(text.utf8)) }

        static func once(_ connection: RawConnection, _ bytes: [UInt8]) {
            guard connection.readHead() != nil else { return }
            connection.write(bytes)
        }

        func check() async throws {
            let server = RawServer(serve)
            let rig = try Rig(deadlines: isHasty ? Rig.hasty : Rig.patient)
            let result = await rig.fetch(server.url()) { request in
                var limits = DecodeLimits()
                limits.maximumEncodedBytes = maximumBytes
                request.decode.limits = limits
            }
            switch (outcome, result) {
            case (.bytes(let count), .success(let fetched)):
                #expect(fetched.encoded?.bytes.count == count)
                #expect(fetched.encoded?.bytes.isComplete == true)
            case (.delivers(let bytes), .success(let fetched)):
                #expect(fetched.encoded?.bytes.contiguous() == bytes)
                #expect(fetched.encoded?.bytes.isComplete == true)
            case (.fails(let codes), .failure(let error)):
                #expect(codes.contains(error.code), "\(error)")
                // A redirect is a whole response, whatever becomes of the request after it.
                for key in rig.cache.keys {
                    let status = try await rig.cache.metadata(for: CacheKey(key))?.http?.status ?? 0
                    #expect(HTTPCachePolicy.redirectStatuses.contains(status), "a failed transfer left something in the cache")
                }
            case (.bytes, .failure(let error)), (.delivers, .failure(let error)): Issue.record("\(error)")
            case (.fails, .success(let fetched)): Issue.record("delivered \(fetched.encoded?.bytes.count ?? 0) bytes")
            }
            withExtendedLifetime(server) {}
        }
    }
#endif
