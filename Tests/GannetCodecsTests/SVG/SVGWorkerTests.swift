#if SVG
    import CGannetShims
    import Dispatch
    import GannetCore
    import GannetImages
    import Glibc
    import Synchronization
    import Testing

    @testable import GannetCodecs

    /// Documents for which librsvg ends its process, or does not end.
    @Suite("SVG in a process of its own") struct SVGWorkerTests {
        private static func svg(_ inside: String) -> [UInt8] {
            Array(#"<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60">\#(inside)</svg>"#.utf8)
        }

        private static func filtered(_ primitives: String) -> [UInt8] {
            svg("<filter id='f'>\(primitives)</filter><rect width='60' height='60' fill='red' filter='url(#f)'/>")
        }

        private static func draw(_ bytes: [UInt8], limits: DecodeLimits = .standard) throws(ImageError) -> DecodedImage {
            var options = DecodeOptions()
            options.limits = limits
            return try ImageDecoding(coders: CodersManager([SVGCoder()])).decode(
                ByteRope(bytes), options: ResolvedDecodeOptions(options))
        }

        private static let healthy = svg("<rect width='60' height='60' fill='#f00'/>")
        /// Would be drawn for minutes. Librsvg from 2.56 on limits the octaves of one primitive, not the primitives.
        private static let endless = filtered(
            String(repeating: "<feTurbulence baseFrequency='0.01' numOctaves='9'/>", count: 50_000))

        private static func expectHealth() throws {
            let image = try draw(healthy)
            #expect(image.bitmap.row(30)[4 * 30] == 255 && image.bitmap.row(30)[4 * 30 + 3] == 255)
        }

        // U-23, S3-06
        @Test(
            "What librsvg cannot draw is an error of that picture alone",
            arguments: [
                filtered("<feConvolveMatrix order='40' kernelMatrix='\(String(repeating: " 1", count: 1600))'/>"),
                svg("<text y='9' font-size='1e30'>a</text>"),
                svg(
                    "<pattern id='p' width='1e30' height='1e30' patternUnits='userSpaceOnUse'><rect width='9' height='9'/></pattern>"
                        + "<rect width='60' height='60' fill='url(#p)'/>"),
            ])
        func failures(document: [UInt8]) throws {
            for _ in 0..<2 {
                // A later librsvg may draw it.
                do { _ = try Self.draw(document) } catch { #expect([.limitExceeded, .corrupt].contains(error.code), "\(error)") }
                try Self.expectHealth()
            }
        }

        @Test("What takes too long is ended", .timeLimit(.minutes(10))) func time() throws {
            var limits = DecodeLimits.standard
            limits.maximumDecodeTime = .milliseconds(100)
            do {
                _ = try Self.draw(Self.endless, limits: limits)
                Issue.record("It cannot have been drawn.")
            } catch {
                #expect(error.code == .limitExceeded, "\(error)")
                #expect(error.message.contains("processor time"), "\(error)")
            }
            try Self.expectHealth()
        }

        @Test("A drawing whose process the kernel ends is not said to lack memory", .timeLimit(.minutes(10)))
        func kernel() throws {
            let worker = try #require(SVGWorkers().take())
            let none = DecodeWatch(DecodeLimits(maximumDecodeTime: .zero))
            // The parent's own look comes 20 ms later: too late for a process that has ended by then.
            kill(worker.process.pid, SIGXCPU)
            do {
                _ = try worker.read(Self.healthy, memory: 100 << 20, none)
                Issue.record("It cannot have been read.")
            } catch {
                #expect(error.code == .limitExceeded)
                #expect(error.message.contains("maximumDecodeTime"), "\(error)")
            }
        }

        @Test("What nobody wants any more is ended", .timeLimit(.minutes(10))) func cancellation() async throws {
            let task = Task.detached { () -> ImageError.Code? in
                do throws(ImageError) {
                    var limits = DecodeLimits.standard
                    limits.maximumDecodeTime = .seconds(600)
                    _ = try Self.draw(Self.endless, limits: limits)
                    return nil
                } catch { return error.code }
            }
            for _ in 0..<20 { try Self.expectHealth() }
            task.cancel()
            #expect(await task.value == .cancelled)
            try Self.expectHealth()
        }

        // S3-06
        @Test("Memory has a bound", .timeLimit(.minutes(10))) func memory() throws {
            // A text of that length takes some 300 MB.
            let text = Self.svg("<text y='9'>\(String(repeating: "a", count: 400_000))</text>")
            do {
                _ = try Self.draw(text)
                Issue.record("It takes more memory than it may.")
            } catch { #expect(error.code == .limitExceeded, "\(error)") }
            try Self.expectHealth()
        }

        /// As the system does when it has no memory left.
        @Test("A worker that was ended while it waited is not used") func endedIdle() throws {
            let workers = SVGWorkers()
            let watch = DecodeWatch(.standard)
            for _ in 0..<2 {
                let worker = try #require(workers.take())
                #expect(try worker.read(Self.healthy, memory: 100 << 20, watch).result == GANNET_SVG_OK)
                workers.giveBack(worker)
                #expect(workers.take() === worker)
                workers.giveBack(worker)
                kill(worker.process.pid, SIGKILL)
                var information = siginfo_t()
                // Until it has ended, and left for its owner to be reaped.
                #expect(waitid(P_PID, id_t(worker.process.pid), &information, WEXITED | WNOWAIT) == 0)
                #expect(!worker.waits)
            }
        }

        /// The signal of a request may come when the work on it has begun.
        @Test("A signal with nothing behind it does not end a worker at its work") func lateSignal() throws {
            let workers = SVGWorkers()
            let watch = DecodeWatch(.standard)
            let worker = try #require(workers.take())
            // It is there, and knows what signals mean.
            #expect(try worker.read(Self.healthy, memory: 100 << 20, watch).result == GANNET_SVG_OK)
            let pid = worker.process.pid
            let isOver = Atomic(false)
            let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            // A dedicated thread, because other tests may occupy all threads that run tasks.
            DispatchQueue(label: "signals").async {
                kill(pid, SIGIO)
                begun.signal()
                while !isOver.load(ordering: .relaxed) { kill(pid, SIGIO) }
                ended.signal()
            }
            defer {
                isOver.store(true, ordering: .relaxed)
                ended.wait()
            }
            begun.wait()
            for _ in 0..<200 { #expect(try worker.read(Self.healthy, memory: 100 << 20, watch).result == GANNET_SVG_OK) }
            #expect(worker.waits)
        }

        @Test("Many at once have a process each") func many() async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<12 {
                    group.addTask {
                        let color = "#\(String(number, radix: 16))00"
                        let image = try Self.draw(Self.svg("<rect width='60' height='60' fill='\(color)'/>"))
                        #expect(image.bitmap.row(30)[4 * 30] == UInt8(number * 17))
                    }
                }
                try await group.waitForAll()
            }
        }

        @Test("Addresses of pictures are read once each", .timeLimit(.minutes(10))) func addresses() throws {
            let text = String(repeating: "data:,", count: 100_000)
            let survey = SVGSurvey(Self.svg("<!--\(text)-->"))
            #expect(survey.embeddedArea == 0)
            // An image right after another one is found as well.
            let png = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAcAAAAFCAYAAACJmvbYAAAAAElFTkSuQmCC"
            for before in ["", "data:;base64,AAAA ", "data:,x "] {
                #expect(SVGSurvey(Self.svg("<image href='\(before)\(png)'/>")).embeddedArea == 35, "\(before)")
            }
        }
    }
#endif
