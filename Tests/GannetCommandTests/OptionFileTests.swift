#if CommandLine && Server
    import ArgumentParser
    import GannetCommandTestSupport
    import GannetCore
    import Testing

    @testable import gannet

    struct OptionFileTests {
        @Test func linesAreOptions() throws {
            let text = """
                # Thumbnails of the shop.
                allow images.example.org
                allow = .example.net

                max-side 1024\r
                metrics
                allow-costly false
                sign  -x  y
                """
            #expect(
                try OptionFile.read(text) == [
                    "--allow=images.example.org", "--allow=.example.net", "--max-side=1024", "--metrics", "--sign=-x  y",
                ])
        }

        @Test(arguments: ["--allow a", "Allow a", "config other", "= a", "ä 1"])
        func otherLinesAreNamed(line: String) {
            let error = #expect(throws: ImageError.self) { try OptionFile.read("metrics\n\(line)\n") }
            #expect(error?.message.hasPrefix("line 2 ") == true)
        }

        @Test func theCommandLineComesLast() throws {
            let tool = try Tool()
            let path = try tool.write(Array("max-side 100\nallow a.org\n".utf8), "options")
            let arguments = try OptionFile.expanded(
                ["serve", "--config", path, "--allow", "c.org", "--max-side", "300"],
                environment: ["GANNET_SERVE_MAX_SIDE": "200", "GANNET_SERVE_METRICS": "true", "GANNET_OTHER": "x"])
            let command = try #require(try GannetCommand.parseAsRoot(arguments) as? ServeCommand)
            #expect(command.maxSide == 300 && command.metrics)
            #expect(command.allow == ["a.org", "c.org"])
            #expect(try OptionFile.expanded(["info", "--config", path], environment: [:]) == ["info", "--config", path])
            #expect(throws: ValidationError.self) {
                try OptionFile.expanded(["serve", "--config", path + "x"], environment: [:])
            }
        }

        /// Kubernetes describes a service that is called gannet-serve in the environment of every container beside it.
        @Test func servicesOfKubernetesAreNoOptions() {
            let links = [
                "GANNET_SERVE_PORT": "tcp://10.0.0.1:80", "GANNET_SERVE_SERVICE_HOST": "10.0.0.1",
                "GANNET_SERVE_SERVICE_PORT": "80",
                "GANNET_SERVE_SERVICE_PORT_HTTP_MAIN": "80", "GANNET_SERVE_PORT_80_TCP": "tcp://10.0.0.1:80",
                "GANNET_SERVE_PORT_80_TCP_PROTO": "tcp", "GANNET_SERVE_PORT_80_TCP_PORT": "80",
                "GANNET_SERVE_PORT_53_UDP_ADDR": "10.0.0.1", "GANNET_SERVE_CANARY_PORT": "udp://[fd00::1]:53",
                "GANNET_SERVE_CANARY_SERVICE_HOST": "10.0.0.2", "GANNET_SERVE_CANARY_PORT_80_TCP_ADDR": "10.0.0.2",
            ]
            let options = [
                "GANNET_SERVE_ALLOW_PORT": "8080", "GANNET_SERVE_MAX_SIDE": "100", "GANNET_SERVE_HOST": "0.0.0.0",
                "GANNET_SERVE_S3_ENDPOINT": "http://a:1",
            ]
            #expect(OptionFile.variables(links).isEmpty)
            #expect(OptionFile.serviceLinks(links.merging(options) { $1 }) == links.keys.sorted())
            #expect(
                OptionFile.variables(options.merging(links) { $1 }) == [
                    "--allow-port=8080", "--host=0.0.0.0", "--max-side=100", "--s3-endpoint=http://a:1",
                ])
            #expect(OptionFile.variables(["GANNET_SERVE_PORT": "8081"]) == ["--port=8081"])
        }

        @Test func wrongOnesAreExplained() async throws {
            let tool = try Tool()
            let path = try tool.write(Array("allow a.org\nmax-sides 100\n".utf8), "options")
            let outcome = try await tool.run("serve", "--config", path)
            #expect(outcome.status == 64 && outcome.errors.contains("max-sides"), "\(outcome.errors)")
        }
    }
#endif
