#if CommandLine
    import COpenSSL
    import GannetCodecs
    import GannetSandbox
    import GannetSupport

    #if Redis
        import CHiredis
    #endif

    /// The output of `--version --json`: the versions of the command, of Swift, of the system and of the C libraries at run time.
    enum BuildReport {
        static var json: JSON {
            var libraries = LibraryVersions.all
            libraries.append(("openssl", String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))))
            #if Redis
                // The version of the headers: hiredis has no call for it, and another version has another file name.
                libraries.append(("hiredis", "\(HIREDIS_MAJOR).\(HIREDIS_MINOR).\(HIREDIS_PATCH)"))
            #endif
            #if PDF
                // A program and no library, but its version explains pages as theirs do.
                if let version = PDFTools.version(in: SandboxPool.shared) { libraries.append(("poppler", version)) }
            #endif
            return .object([
                ("gannet", .string(GannetCommand.version)),
                ("swift", .string(swift)),
                ("system", .optional(system)),
                ("libraries", .object(libraries.sorted { $0.0 < $1.0 }.map { ($0.0, .string($0.1)) })),
            ])
        }

        /// The version of Swift without the patch version, which the standard library does not expose.
        private static var swift: String {
            String(describing: _SwiftStdlibVersion.current).split(separator: ".").prefix(2).joined(separator: ".")
        }

        /// Nil if the system does not say (os-release(5)).
        private static var system: String? {
            for path in ["/etc/os-release", "/usr/lib/os-release"] {
                guard let bytes = try? LocalFile.read(path, maximumBytes: 1 << 16) else { continue }
                for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where line.hasPrefix("PRETTY_NAME=") {
                    return String(line.dropFirst(12).filter { $0 != "\"" })
                }
            }
            return nil
        }
    }
#endif
