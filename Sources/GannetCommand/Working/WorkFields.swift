#if CommandLine
    import ArgumentParser
    import FoundationEssentials
    import GannetCore
    import GannetSupport

    /// The object in a line of `gannet work`. Fields are named like the options of `gannet convert`.
    struct WorkFields: Sendable {
        static let names = [
            "id", "source", "output", "format", "quality", "max-file-size", "keep-metadata", "no-gain-map", "hdr", "region",
            "thumbnail",
            "mode", "linear-light", "tone-mapping", "transform", "page", "allow-partial",
        ]

        private let values: [String: Value]

        /// A field that is null counts as absent.
        private enum Value: Decodable, Sendable {
            case bool(Bool)
            case integer(Int)
            case string(String)
            case strings([String])
            /// Null, or what no field takes.
            case null, other

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if container.decodeNil() {
                    self = .null
                } else if let value = try? container.decode(String.self) {
                    self = .string(value)
                } else if let value = try? container.decode(Int.self) {
                    self = .integer(value)
                } else if let value = try? container.decode(Bool.self) {
                    self = .bool(value)
                } else if let value = try? container.decode([String].self) {
                    self = .strings(value)
                } else {
                    self = .other
                }
            }
        }

        /// Throws `misuse` if the line is not a JSON object.
        init(line: [UInt8]) throws(ImageError) {
            do { values = try JSONDecoder().decode([String: Value].self, from: Data(line)) } catch {
                throw Self.wrong("The line is not a JSON object, like {\"id\":1,\"source\":\"a.jpg\",\"output\":\"a.webp\"}.")
            }
        }

        /// For the answer; nil if the job has none that can be repeated.
        var id: JSON? {
            switch values["id"] {
            case .string(let text): .string(text)
            case .integer(let number): .integer(number)
            default: nil
            }
        }

        /// For the answer; nil if the job has none.
        var source: String? {
            guard case .string(let text) = values["source"] else { return nil }
            return text
        }

        /// Throws `misuse` for fields that no job has: a mistyped one would otherwise go unnoticed in every image.
        func check() throws(ImageError) {
            for name in values.keys.sorted() where !Self.names.contains(name) {
                throw Self.wrong("A job has no field \(name); its fields are \(Self.names.joined(separator: ", ")).")
            }
            switch values["id"] {
            case .string, .integer, .null, nil: break
            default: throw Self.wrong("id is a string or a whole number.")
            }
        }

        func string(_ name: String) throws(ImageError) -> String? {
            switch values[name] {
            case .string(let text): return text
            case .null, nil: return nil
            default: throw Self.wrong("\(name) is a string.")
            }
        }

        func flag(_ name: String) throws(ImageError) -> Bool {
            switch values[name] {
            case .bool(let value): return value
            case .null, nil: return false
            default: throw Self.wrong("\(name) is true or false.")
            }
        }

        /// One string, or a list of them.
        func strings(_ name: String) throws(ImageError) -> [String] {
            switch values[name] {
            case .string(let text): return [text]
            case .strings(let texts): return texts
            case .null, nil: return []
            default: throw Self.wrong("\(name) is a string or a list of strings.")
            }
        }

        /// Parses a string or a whole number like the value of the option.
        func option<Parsed>(_ name: String, _ parse: (String) throws -> Parsed) throws(ImageError) -> Parsed? {
            let text: String
            switch values[name] {
            case .string(let value): text = value
            case .integer(let value): text = String(value)
            case .null, nil: return nil
            default: throw Self.wrong("\(name) is a string or a whole number.")
            }
            return try Self.parsed(name, text, parse)
        }

        static func parsed<Parsed>(
            _ name: String, _ text: String, _ parse: (String) throws -> Parsed
        ) throws(ImageError) -> Parsed {
            do { return try parse(text) } catch let error as ValidationError { throw wrong("\(name): \(error.message)") } catch {
                throw wrong("\(name): \(text) is no value of it.")
            }
        }

        static func wrong(_ message: String) -> ImageError { ImageError(.misuse, stage: .resolve, message) }
    }
#endif
