#if HTTP
    import FoundationEssentials
    import GannetCore

    /// Host names as the domain name system knows them: labels beyond ASCII become `xn--` and Punycode (RFC 3492).
    ///
    /// Of the mapping that browsers do (UTS 46), this does what people type: letters become lower case, composed (NFC) and, if they are
    /// full-width, ASCII; invisible characters go. Other compatibility characters are not mapped.
    enum HostName {
        /// The URL with an ASCII host; the same URL if its host is ASCII already or missing.
        static func ascii(_ url: URL) -> URL {
            // Without percent signs there is nothing to decode, and no letter beyond ASCII.
            guard let host = url.host(percentEncoded: true), host.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 >= 128 }),
                let plain = url.host, !plain.contains(":"), plain.utf8.contains(where: { $0 >= 128 }), let name = ascii(plain)
            else { return url }
            var parts = url.parts
            parts.host = name[...]
            return URL(parts) ?? url
        }

        /// Nil for invalid names: a label over 63 bytes, or with anything but letters, digits and hyphens.
        static func ascii(_ name: String) -> String? {
            var labels: [String] = []
            // Full stops of East Asian keyboards also separate labels.
            for label in mapped(name).split(omittingEmptySubsequences: false, whereSeparator: { ".。．｡".contains($0) }) {
                let ascii =
                    label.utf8.allSatisfy { $0 < 128 } ? String(label) : "xn--" + punycode(label.unicodeScalars.map(\.value))
                let isName = ascii.utf8.allSatisfy { (48...57).contains($0) || (97...122).contains($0) || $0 == 45 || $0 == 95 }
                guard isName, ascii.utf8.count <= 63 else { return nil }
                labels.append(ascii)
            }
            return labels.joined(separator: ".")
        }

        private static func mapped(_ name: String) -> String {
            var result = String.UnicodeScalarView()
            for scalar in name.unicodeScalars {
                switch scalar.value {
                case 0xAD, 0x200B, 0x2060, 0xFEFF, 0xFE00...0xFE0F: break
                case 0xFF01...0xFF5E:
                    result.append(contentsOf: String(UnicodeScalar(UInt8(scalar.value - 0xFEE0))).lowercased().unicodeScalars)
                // Of each scalar: a sigma at the end of a word is another letter.
                default: result.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
                }
            }
            return String(decoding: String(result)._nfcCodeUnits, as: UTF8.self)
        }

        /// Whether a host may be part of a request line and be passed to C: printable ASCII without delimiters of URLs.
        static func isWritable(_ host: String) -> Bool {
            host.utf8.allSatisfy { $0 > 32 && $0 < 127 && !"/?#@\\".utf8.contains($0) }
        }

        private static func punycode(_ scalars: [UInt32]) -> String {
            var output = scalars.filter { $0 < 128 }.map { UInt8($0) }
            let basic = output.count
            if basic > 0 { output.append(45) }
            var next: UInt32 = 128
            var delta = 0
            var bias = 72
            var handled = basic
            while handled < scalars.count, let smallest = scalars.filter({ $0 >= next }).min() {
                delta += Int(smallest - next) * (handled + 1)
                next = smallest
                for scalar in scalars {
                    if scalar < next { delta += 1 }
                    guard scalar == next else { continue }
                    append(delta, bias, to: &output)
                    bias = adapted(delta, handled + 1, isFirst: handled == basic)
                    delta = 0
                    handled += 1
                }
                delta += 1
                next += 1
            }
            return String(decoding: output, as: UTF8.self)
        }

        /// Appends a number in digits whose weights depend on `bias`.
        private static func append(_ delta: Int, _ bias: Int, to output: inout [UInt8]) {
            var rest = delta
            var position = 36
            while true {
                let threshold = min(max(position - bias, 1), 26)
                guard rest >= threshold else { break }
                output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
                rest = (rest - threshold) / (36 - threshold)
                position += 36
            }
            output.append(digit(rest))
        }

        private static func digit(_ value: Int) -> UInt8 { UInt8(value < 26 ? 97 + value : 22 + value) }

        private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
            var rest = isFirst ? delta / 700 : delta / 2
            rest += rest / count
            var steps = 0
            while rest > 455 {
                rest /= 35
                steps += 36
            }
            return steps + 36 * rest / (rest + 38)
        }
    }
#endif
