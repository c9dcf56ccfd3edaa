#if Server
    import GannetFetch
    import Tracing

    /// A place in a trace, as the fields `traceparent` and `tracestate` carry it from server to server.
    ///
    /// - W3C Trace Context, Level 1: https://www.w3.org/TR/trace-context-1/
    package struct TraceContext: Hashable, Sendable {
        /// Of all spans of a trace; not 0.
        var trace: UInt128
        /// Of one of them; not 0.
        var span: UInt64
        /// Whether its spans are recorded.
        var isSampled: Bool
        /// Of other tracing systems, passed on unchanged; empty: there is none.
        var state = ""
        /// It came with a request.
        var isRemote = false

        /// From the fields of a request. Nil: `parent` cannot be used, and a new trace begins. A `state` that cannot be used is left
        /// out.
        init?(parent: String, state: String? = nil) {
            let bytes = Array(parent.utf8)
            let dash = UInt8(ascii: "-")
            guard bytes.count >= 55, bytes[2] == dash, bytes[35] == dash, bytes[52] == dash,
                let version: UInt8 = Self.number(bytes[0..<2]), let trace: UInt128 = Self.number(bytes[3..<35]),
                let span: UInt64 = Self.number(bytes[36..<52]), let flags: UInt8 = Self.number(bytes[53..<55]),
                version != 255, trace != 0, span != 0
            else { return nil }
            // Later versions may add fields behind these (§2.2.3).
            guard bytes.count == 55 || (version > 0 && bytes[55] == dash) else { return nil }
            self.init(trace: trace, span: span, isSampled: flags & 1 == 1, isRemote: true)
            if let state, Self.isState(state) { self.state = state }
        }

        init(trace: UInt128, span: UInt64, isSampled: Bool, state: String = "", isRemote: Bool = false) {
            (self.trace, self.span, self.isSampled, self.state, self.isRemote) = (trace, span, isSampled, state, isRemote)
        }

        /// The value of `traceparent`, in version 00 and with no flag but that of sampling.
        var parent: String { "00-\(traceText)-\(spanText)-0\(isSampled ? 1 : 0)" }

        /// 32 digits.
        var traceText: String { Self.text(trace, digits: 32) }
        /// 16 digits.
        var spanText: String { Self.text(span, digits: 16) }

        private static func text(_ number: some BinaryInteger, digits: Int) -> String {
            let text = String(number, radix: 16)
            return String(repeating: "0", count: digits - text.utf8.count) + text
        }

        /// Small letters alone (§3.2.2).
        private static func number<N: FixedWidthInteger>(_ digits: ArraySlice<UInt8>) -> N? {
            var value: N = 0
            for digit in digits {
                switch digit {
                case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | N(digit - UInt8(ascii: "0"))
                case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | N(digit - UInt8(ascii: "a") + 10)
                default: return nil
                }
            }
            return value
        }

        // MARK: tracestate

        /// Longer ones need not be handed on (§3.3.1.5).
        private static let longestState = 512

        /// A list of up to 32 members with different keys (§3.3.1).
        private static func isState(_ text: String) -> Bool {
            guard text.utf8.count <= longestState else { return false }
            var keys: Set<Substring> = []
            for member in text.split(separator: ",", omittingEmptySubsequences: false) {
                let member = member.trimmedOWS()[...]
                // Empty members are allowed, and say nothing.
                if member.isEmpty { continue }
                guard let equals = member.firstIndex(of: "="), isKey(member[..<equals]),
                    isValue(member[member.index(after: equals)...]), keys.insert(member[..<equals]).inserted
                else { return false }
            }
            return (1...32).contains(keys.count)
        }

        /// `vendor` or `tenant@vendor`. A digit at the beginning is right in later levels.
        private static func isKey(_ text: Substring) -> Bool {
            let parts = text.split(separator: "@", omittingEmptySubsequences: false)
            guard parts.count <= 2, text.utf8.count <= 256 else { return false }
            return parts.allSatisfy { part in
                guard let first = part.utf8.first, isLetterOrDigit(first) else { return false }
                return part.utf8.allSatisfy { isLetterOrDigit($0) || "_-*/".utf8.contains($0) }
            }
        }

        private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }

        private static func isValue(_ text: Substring) -> Bool {
            (1...256).contains(text.utf8.count)
                && text.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
        }
    }

    extension ServiceContext {
        private enum TraceKey: ServiceContextKey {
            typealias Value = TraceContext
        }

        /// The span that others begin below.
        var trace: TraceContext? {
            get { self[TraceKey.self] }
            set { self[TraceKey.self] = newValue }
        }
    }
#endif
