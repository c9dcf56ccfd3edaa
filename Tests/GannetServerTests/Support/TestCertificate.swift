#if CommandLine && Server
    import Foundation
    import GannetCommandTestSupport
    import Testing

    extension Tool {
        /// A certificate for localhost that signs itself, in NAME.pem and NAME.key of this run's folder.
        func makeCertificate(_ name: String) throws {
            let arguments =
                "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/openssl")
            process.arguments =
                arguments.split(separator: " ").map { String($0) } + [
                    "-keyout", path("\(name).key"), "-out", path("\(name).pem"),
                ]
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
        }
    }
#endif
