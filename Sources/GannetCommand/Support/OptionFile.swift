#if CommandLine
    import ArgumentParser
    import GannetCore
    import GannetPlatform

    /// Options of `gannet serve` in a file and in the environment, for those who start it without a shell.
    ///
    /// A line `max-side 1024` in the file of `--config` is `--max-side 1024`, `metrics` is `--metrics`; `#` begins a comment. So is the
    /// variable `GANNET_SERVE_MAX_SIDE=1024`, and `GANNET_SERVE_METRICS=true`. The command line comes last: it wins where an option
    /// has one value, and adds where it may be repeated.
    enum OptionFile {
        static let variablePrefix = "GANNET_SERVE_"

        /// The arguments of a call, the program's name not among them, with those of the file and the environment before the others.
        static func expanded(_ arguments: [String], environment: [String: String]) throws -> [String] {
            guard arguments.first == "serve" else { return arguments }
            var fromFile: [String] = []
            if let path = path(in: arguments) {
                do throws(ImageError) {
                    let bytes = try POSIXFileSystem().read(WorkingFolder.absolute(path), maximumBytes: 1 << 20, nofollow: false)
                    fromFile = try read(String(decoding: bytes, as: UTF8.self))
                } catch { throw ValidationError("--config \(path): \(error.message)") }
            }
            return ["serve"] + variables(environment) + fromFile + arguments.dropFirst()
        }

        private static func path(in arguments: [String]) -> String? {
            for (index, argument) in arguments.enumerated() {
                if argument == "--" { return nil }
                if argument.hasPrefix("--config=") { return String(argument.dropFirst(9)) }
                if argument == "--config", index + 1 < arguments.count { return arguments[index + 1] }
            }
            return nil
        }

        /// Throws `misuse` with the number of a line that is none.
        static func read(_ text: String) throws(ImageError) -> [String] {
            var options: [String] = []
            for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
                let line = line.trimmingBlanks()
                if line.isEmpty || line.hasPrefix("#") { continue }
                let name = line.prefix { !$0.isWhitespace && $0 != "=" }
                guard isName(name), name != "config" else {
                    throw ImageError(
                        .misuse, stage: .resolve,
                        "line \(index + 1) is no option: NAME or NAME VALUE, named as on the command line without its dashes.")
                }
                options += option(String(name), line.dropFirst(name.count).drop { $0.isWhitespace || $0 == "=" })
            }
            return options
        }

        /// In the order of their names, so that one environment always means the same.
        static func variables(_ environment: [String: String]) -> [String] {
            let options = environment.filter { $0.key.hasPrefix(variablePrefix) && !isServiceLink($0.key, $0.value) }
            return options.sorted { $0.key < $1.key }.flatMap { key, value in
                option(key.dropFirst(variablePrefix.count).lowercased().replacing("_", with: "-"), value[...])
            }
        }

        /// The variables that are no options although they are named like them.
        static func serviceLinks(_ environment: [String: String]) -> [String] {
            environment.filter { $0.key.hasPrefix(variablePrefix) && isServiceLink($0.key, $0.value) }.keys.sorted()
        }

        /// True for variables that Kubernetes sets in each container of a namespace with a service called gannet-serve, or
        /// gannet-serve-NAME: `…_SERVICE_HOST`, `…_SERVICE_PORT`, `…_SERVICE_PORT_NAME`, `…_PORT=tcp://10.0.0.1:80`,
        /// `…_PORT_80_TCP`, and `…_PORT_80_TCP_ADDR`.
        private static func isServiceLink(_ key: String, _ value: String) -> Bool {
            let words = key.split(separator: "_")
            let protocols = ["TCP", "UDP", "SCTP"]
            for index in words.indices {
                let next = words[(index + 1)...].prefix(2)
                if words[index] == "SERVICE", ["HOST", "PORT"].contains(next.first) { return true }
                guard words[index] == "PORT" else { continue }
                if next.isEmpty { return protocols.contains { value.hasPrefix($0.lowercased() + "://") } }
                if next.first?.allSatisfy(\.isNumber) == true, next.count == 2, protocols.contains(String(next[index + 2])) {
                    return true
                }
            }
            return false
        }

        private static func option(_ name: String, _ value: Substring) -> [String] {
            switch value {
            case "", "true": ["--\(name)"]
            case "false": []
            // In one word, so that a value with a dash at its beginning stays one.
            default: ["--\(name)=\(value)"]
            }
        }

        private static func isName(_ name: Substring) -> Bool {
            name.first?.isLetter == true && name.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") }
        }
    }

    extension Substring {
        fileprivate func trimmingBlanks() -> Substring {
            var text = drop { $0.isWhitespace }
            while text.last?.isWhitespace == true { text.removeLast() }
            return text
        }
    }
#endif
