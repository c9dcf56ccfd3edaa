#if CommandLine
    import FoundationEssentials

    /// A manual page for man(7), generated from the argument parser's description of a command.
    struct ManualPage {
        private let tool: Tool
        private let version: String

        /// `help` is the parser's description as JSON.
        init(help: String, version: String) throws {
            tool = try JSONDecoder().decode(Tool.self, from: Data(help.utf8))
            self.version = version
        }

        struct Tool: Decodable {
            var command: Command
        }

        struct Command: Decodable {
            var commandName: String
            var abstract: String?
            var discussion: String?
            var shouldDisplay: Bool?
            var subcommands: [Command]?
            var arguments: [Argument]?

            var shown: [Command] { (subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" } }
        }

        struct Argument: Decodable {
            struct Name: Decodable {
                var kind: String
                var name: String
                var text: String { (kind == "long" ? "--" : "-") + name }
            }

            var kind: String
            var shouldDisplay: Bool?
            var isOptional: Bool
            var isRepeating: Bool
            var names: [Name]?
            var valueName: String?
            var defaultValue: String?
            var allValues: [String]?
            var abstract: String?
        }

        var text: String {
            let name = tool.command.commandName
            var page = [".TH \(name.uppercased()) 1 \"\" \"\(name) \(version)\" \"User Commands\""]
            page += [".SH NAME", "\(name) \\- " + Self.escape(Self.sentence(tool.command.abstract))]
            page += [".SH SYNOPSIS"]
            for command in tool.command.shown {
                page += [".B \(name) \(command.commandName)", "[\\fIOPTIONS\\fR] " + Self.operands(command), ".br"]
            }
            page += [".SH DESCRIPTION"] + Self.paragraphs(tool.command.discussion)
            page += [".SH COMMANDS"]
            for command in tool.command.shown { page += section(command, path: name) }
            page += Self.closing
            return page.joined(separator: "\n")
        }

        private func section(_ command: Command, path: String) -> [String] {
            let path = path + " " + command.commandName
            var lines = [".SS \(Self.escape(path)) " + Self.operands(command), Self.escape(command.abstract ?? "")]
            if command.discussion != nil { lines += [".PP"] + Self.paragraphs(command.discussion) }
            for argument in command.arguments ?? [] where argument.shouldDisplay != false && !Self.isUniversal(argument) {
                lines += [".TP", Self.tag(argument), Self.describe(argument)]
            }
            return lines + command.shown.flatMap { section($0, path: path) }
        }

        private static func isUniversal(_ argument: Argument) -> Bool {
            argument.names?.contains { ["help", "version"].contains($0.name) } == true
        }

        private static func operands(_ command: Command) -> String {
            if !command.shown.isEmpty { return "\\fICOMMAND\\fR" }
            return (command.arguments ?? []).filter { $0.kind == "positional" }.map { argument in
                let name =
                    "\\fI\(escape((argument.valueName ?? "argument").uppercased()))\\fR\(argument.isRepeating ? "..." : "")"
                return argument.isOptional ? "[\(name)]" : name
            }.joined(separator: " ")
        }

        private static func tag(_ argument: Argument) -> String {
            let value = "\\fI\(escape(argument.valueName ?? "value"))\\fR"
            guard argument.kind != "positional" else { return value }
            let names = (argument.names ?? []).map { "\\fB\(escape($0.text))\\fR" }.joined(separator: ", ")
            return argument.kind == "option" ? names + " " + value : names
        }

        private static func describe(_ argument: Argument) -> String {
            var text = argument.abstract ?? ""
            if let values = argument.allValues, !values.isEmpty { text += " One of " + values.joined(separator: ", ") + "." }
            if let value = argument.defaultValue, !text.contains("(default:") { text += " (default: \(value))" }
            return escape(text)
        }

        private static func paragraphs(_ text: String?) -> [String] {
            (text ?? "").components(separatedBy: "\n\n").flatMap { [".PP", escape($0)] }.dropFirst().map { $0 }
        }

        private static func sentence(_ text: String?) -> String {
            var text = text ?? ""
            if text.hasSuffix(".") { text.removeLast() }
            return text.prefix(1).lowercased() + text.dropFirst()
        }

        /// Keeps hyphens and backslashes, keeps lines from starting a request, and names characters outside ASCII, because not
        /// every formatter accepts UTF-8.
        private static func escape(_ text: String) -> String {
            let ascii = text.unicodeScalars.map { scalar -> String in
                switch scalar {
                case "\\": "\\e"
                case "-": "\\-"
                case _ where scalar.isASCII: String(scalar)
                default:
                    "\\[u" + String(repeating: "0", count: max(4 - String(scalar.value, radix: 16).count, 0))
                        + String(scalar.value, radix: 16, uppercase: true) + "]"
                }
            }
            return ascii.joined()
                .split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&" + $0 : String($0) }.joined(separator: "\n")
        }

        private static let closing = [
            ".SH EXIT STATUS", ".TP", "0", "All done.", ".TP", "1",
            "One or more sources failed, each with a line on standard error: gannet: SOURCE: CODE: message", ".TP", "64",
            "Wrong usage.",
            ".SH ENVIRONMENT", ".TP", "XDG_CACHE_HOME", "The cache is the folder gannet in it; else ~/.cache/gannet.", ".TP",
            "http_proxy, https_proxy, HTTPS_PROXY, all_proxy, ALL_PROXY",
            "The proxy that servers are asked through: [http://|socks5://][NAME:PASSWORD@]HOST[:PORT], the port being 1080 if there is none. HTTP_PROXY is not read.",
            ".TP", "no_proxy, NO_PROXY",
            "What is asked directly, separated by commas: hosts with all below them, addresses, ranges (10.0.0.0/8), each with a port or without; * is everything.",
            ".TP", "COLORTERM", "truecolor or 24bit: half blocks use all colours, else 256.", ".TP", "TMPDIR",
            "Where the demo keeps its own cache.", ".TP", "GANNET_SVG_WORKER",
            "off: SVG is drawn in the command's own process, where a file that breaks the library ends the command.", ".TP",
            "GANNET_JXL_WORKER",
            "off: JPEG XL files that do not tell what they need are not tried in a process of their own first.",
            ".SH FILES", ".TP", "~/.cache/gannet",
            "The cache. It may be removed at any time, also while commands run.",
            ".SH EXAMPLES", ".nf", "gannet fetch https://example.org/a.jpg \\-\\-thumbnail 400x300 \\-o a.png",
            "gannet info *.jpg", "gannet convert in.gif out.webp \\-\\-quality 80", "gannet show photo.jpg",
            "gannet cache trim \\-\\-to\\-size 100MB", ".fi",
        ]
    }
#endif
