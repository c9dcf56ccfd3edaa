#if CommandLine && Server
    import Foundation
    import Testing

    @testable import GannetServer

    /// The files of deploy/ and the service mean the same.
    struct ProxyFileTests {
        private func text(_ name: String) throws -> String {
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            return try String(contentsOf: root.appendingPathComponent("deploy/" + name), encoding: .utf8)
        }

        /// A hint that is not in the key of the proxy's cache, and reaches the service, chooses the size of everybody's answer.
        @Test func hintsEndAtTheProxy() throws {
            let (nginx, varnish) = (try text("nginx.conf"), try text("varnish.vcl"))
            for name in ClientHints.names {
                #expect(nginx.contains("proxy_set_header \(name) \"\";"), "\(name)")
                #expect(varnish.contains("unset req.http.\(name);"), "\(name)")
            }
        }
    }
#endif
