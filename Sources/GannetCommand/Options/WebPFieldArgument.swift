#if CommandLine
    import ArgumentParser
    import GannetCore

    /// `FIELD=NUMBER` of `--webp`.
    struct WebPFieldArgument: Equatable {
        var field: WebPOptions.Field
        var value: Double

        init(parsing text: String) throws {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let field = WebPOptions.Field(rawValue: parts[0]) else {
                let names = WebPOptions.Field.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("it is FIELD=NUMBER, and FIELD is one of \(names).")
            }
            guard parts.count == 2, let value = Double(parts[1]) else {
                throw ValidationError("\(field.rawValue) needs a number, like \(field.rawValue)=\(Int(field.range.upperBound)).")
            }
            if let fault = field.fault(of: value) { throw ValidationError(fault) }
            (self.field, self.value) = (field, value)
        }

        /// The last of several values of a field counts.
        static func options(_ fields: [WebPFieldArgument]) -> WebPOptions {
            fields.reduce(into: WebPOptions()) { $0[$1.field] = $1.value }
        }

        /// Throws for fields that exclude each other.
        static func check(_ fields: [WebPFieldArgument]) throws {
            do throws(ImageError) { try options(fields).check() } catch { throw ValidationError("--webp: \(error.message)") }
        }
    }
#endif
