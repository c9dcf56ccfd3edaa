#if Redis
    /// Which slot of a cluster a key belongs to (Redis Cluster Specification, "Key distribution model" and "Hash tags").
    enum RedisSlot {
        static let count = 16_384

        /// CRC16 of the key, or of the text between its first braces.
        static func of(_ key: String) -> Int {
            var part = Array(key.utf8)[...]
            if let start = part.firstIndex(of: UInt8(ascii: "{")),
                let end = part[(start + 1)...].firstIndex(of: UInt8(ascii: "}")), end > start + 1
            {
                part = part[(start + 1)..<end]
            }
            return Int(crc16(part)) % count
        }

        /// XMODEM: polynomial 0x1021, first value 0, nothing reflected.
        static func crc16(_ bytes: some Sequence<UInt8>) -> UInt16 {
            bytes.reduce(0) { $0 << 8 ^ table[Int(UInt8($0 >> 8) ^ $1)] }
        }

        private static let table: [UInt16] = (0..<256 as Range<UInt16>).map { index in
            (0..<8).reduce(index << 8) { value, _ in value & 0x8000 == 0 ? value << 1 : value << 1 ^ 0x1021 }
        }
    }

    /// Which node has which slots, as the nodes said. Nothing is known of a slot that none of them named.
    struct RedisSlots: Equatable, Sendable {
        /// As many as the specification recommends at most; what names more is not believed.
        static let maximumNodes = 1000

        private(set) var endpoints: [RedisAddress.Endpoint] = []
        /// Indices of ``endpoints``; -1: unknown.
        private var owners = [Int16](repeating: -1, count: RedisSlot.count)

        init() {}

        /// The reply to `CLUSTER SLOTS`; nil if it is none. `asked`: the node that gave it, whose host is meant where none is
        /// named.
        init?(_ reply: RedisReply, asked: RedisAddress.Endpoint) {
            guard case .list(let ranges) = reply, ranges.count <= RedisSlot.count else { return nil }
            for range in ranges {
                guard case .list(let parts) = range, parts.count >= 3, case .number(let first) = parts[0],
                    case .number(let last) = parts[1], 0 <= first, first <= last, last < RedisSlot.count,
                    case .list(let node) = parts[2], node.count >= 2, case .number(let port) = node[1],
                    let endpoint = asked.endpoint(host: Self.host(node[0]), port: port), let index = index(of: endpoint)
                else { return nil }
                for slot in first...last { owners[slot] = index }
            }
        }

        private static func host(_ reply: RedisReply) -> String? {
            switch reply {
            case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
            case .nothing: ""
            default: nil
            }
        }

        subscript(slot: Int) -> RedisAddress.Endpoint? {
            let index = Int(owners[slot])
            return index < 0 ? nil : endpoints[index]
        }

        mutating func set(_ slot: Int, to endpoint: RedisAddress.Endpoint) {
            if let index = index(of: endpoint) { owners[slot] = index }
        }

        private mutating func index(of endpoint: RedisAddress.Endpoint) -> Int16? {
            if let known = endpoints.firstIndex(of: endpoint) { return Int16(known) }
            guard endpoints.count < Self.maximumNodes else { return nil }
            endpoints.append(endpoint)
            return Int16(endpoints.count - 1)
        }
    }

    /// A refusal that says more than that something is wrong.
    enum RedisRefusal: Equatable {
        /// The slot belongs to another node.
        case moved(slot: Int, RedisAddress.Endpoint)
        /// This key alone is with another node, which takes the slot over.
        case ask(RedisAddress.Endpoint)
        /// The slot, not the node, cannot be used now: no node has it, or only some keys of a script have moved.
        case slotUnusable
        /// Somebody else's value under this key.
        case wrongType
        case other

        init(_ text: String, asked: RedisAddress.Endpoint) {
            let words = text.split(separator: " ")
            switch words.first {
            case "MOVED", "ASK":
                guard words.count == 3, let slot = Int(words[1]), (0..<RedisSlot.count).contains(slot),
                    let colon = words[2].lastIndex(of: ":"), let port = Int(words[2][words[2].index(after: colon)...]),
                    let endpoint = asked.endpoint(host: String(words[2][..<colon]), port: port)
                else { break }
                self = words[0] == "MOVED" ? .moved(slot: slot, endpoint) : .ask(endpoint)
                return
            case "TRYAGAIN":
                self = .slotUnusable
                return
            case "CLUSTERDOWN" where text.hasPrefix("CLUSTERDOWN Hash slot not served"):
                self = .slotUnusable
                return
            case "WRONGTYPE":
                self = .wrongType
                return
            default: break
            }
            self = .other
        }
    }

    extension RedisAddress.Endpoint {
        /// Another node that this one names; an empty host is its own. Nil for what cannot be connected to: a name that the
        /// node does not know (`?`), or no port.
        func endpoint(host: String?, port: Int) -> RedisAddress.Endpoint? {
            guard var host, host != "?", (1...65_535).contains(port) else { return nil }
            if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
            if host.isEmpty {
                // On the other side of a socket is this machine.
                if case .network(let own, _) = self { host = own } else { host = "127.0.0.1" }
            }
            return .network(host: host, port: port)
        }
    }
#endif
