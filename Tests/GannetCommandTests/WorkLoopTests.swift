#if CommandLine && PNG
    import Foundation
    import GannetCore
    import GannetPlatform
    import GannetSupport
    import GannetTesting
    import Glibc
    import Synchronization
    import Testing

    @testable import gannet

    /// The lines that a worker reads, and when it reads them.
    struct WorkLoopTests {
        private final class Input: Sendable {
            private let pipe = Pipe()
            let lines: JobLines

            init(_ text: [UInt8]) throws {
                lines = JobLines(descriptor: pipe.fileHandleForReading.fileDescriptor)
                let handle = pipe.fileHandleForWriting
                // In a thread: the pipe may have no room for all.
                Thread {
                    try? handle.write(contentsOf: Data(text))
                    try? handle.close()
                }.start()
            }

            var unread: Int {
                var count: Int32 = 0
                // FIONREAD
                _ = ioctl(pipe.fileHandleForReading.fileDescriptor, 0x541B, &count)
                return Int(count)
            }

            func all() async -> [String] {
                var texts: [String] = []
                while case .line(let line) = await lines.next() {
                    let text = line.bytes.map { $0.count > 100 ? "\($0.count) bytes" : String(decoding: $0, as: UTF8.self) }
                    texts.append("\(line.number) \(text ?? "too long")")
                }
                return texts
            }
        }

        private final class Count: Sendable {
            private let number = Atomic(0)
            func increment() { number.add(1, ordering: .relaxed) }
            var value: Int { number.load(ordering: .relaxed) }
        }

        @Test(arguments: [
            ("", []), ("\n\n", []), ("a", ["1 a"]), ("a\n", ["1 a"]), ("a\r\n \t\n\nb", ["1 a\r", "4 b"]),
        ]) func linesThatAreEmptyCountOnly(text: String, lines: [String]) async throws {
            #expect(try await Input(Array(text.utf8)).all() == lines)
        }

        @Test(.timeLimit(.minutes(10))) func aLineMayBeAMebibyte() async throws {
            let limit = JobLine.maximumBytes
            let parts = [limit, limit + 1, 3, 3 * limit, 3, limit, 2 * limit]
            let text = parts.map { [UInt8](repeating: 0x78, count: $0) }.joined(separator: [10])
            let expected = [
                "1 \(limit) bytes", "2 too long", "3 xxx", "4 too long", "5 xxx", "6 \(limit) bytes", "7 too long",
            ]
            #expect(try await Input(Array(text)).all() == expected)
        }

        /// An input that stays open and silent.
        @Test(.timeLimit(.minutes(10))) func waitingForALineCanBeCancelled() async throws {
            let pipe = Pipe()
            let lines = JobLines(descriptor: pipe.fileHandleForReading.fileDescriptor)
            let ended = await withTaskGroup(of: Bool.self) { group in
                group.addTask {
                    if case .stopped = await lines.next() { true } else { false }
                }
                group.cancelAll()
                return await group.next()
            }
            #expect(ended == true)
            withExtendedLifetime(pipe) {}
        }

        /// Jobs wait in the pipe, and the pipe makes their writer wait.
        @Test(.timeLimit(.minutes(10)), arguments: [1, 3])
        func noJobIsTakenWhileNoAnswerIsRead(concurrency: Int) async throws {
            let line = Array(String(repeating: "x", count: 99).utf8) + [10]
            // All fits into the pipe.
            let total = 600 * line.count
            let input = try Input(Array(repeatElement(line, count: 600).joined()))
            while input.unread < total { await Task.yield() }
            let (taken, shown, reader) = (Count(), Count(), AsyncGate())
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    let end = await WorkLoop(concurrency: concurrency).run(input.lines) { line in
                        taken.increment()
                        return WorkAnswer(line: line.number)
                    } show: { _ in
                        await reader.wait()
                        shown.increment()
                    }
                    guard case .endOfInput = end else {
                        Issue.record("\(end)")
                        return
                    }
                }
                while reader.arrivedCount == 0 { await Task.yield() }
                for _ in 0..<10_000 { await Task.yield() }
                #expect(taken.value <= concurrency)
                #expect(input.unread == total - JobLines.chunk)
                reader.open()
            }
            #expect(taken.value == 600 && shown.value == 600)
        }

        @Test(arguments: [
            (#"{"source":"a"}"#, nil), (#"{"source":"a","output":"b.png","id":null}"#, nil), ("[]", "not a JSON object"),
            ("{", "not a JSON object"), ("nonsense", "not a JSON object"), ("{}", "needs a source"),
            (#"{"source":7}"#, "source is a string"), (#"{"source":""}"#, "needs a source"),
            (#"{"source":"-"}"#, "carries the jobs"),
            (#"{"source":"a","output":"-"}"#, "carries the answers"), (#"{"source":"a","output":""}"#, "is empty"),
            (#"{"source":"a","output":"b"}"#, "name one with format"),
            (#"{"source":"a","output":"b.doc"}"#, "name one with format"),
            (#"{"source":"a","output":"b.svg"}"#, "does not write svg"),
            (#"{"source":"a","output":"b","format":"word"}"#, "format: there is no such format"),
            (#"{"source":"a","output":"b.png","quality":101}"#, "quality: quality is a whole number from 0 to 100"),
            (#"{"source":"a","output":"b.png","quality":"80","max-file-size":"100KB"}"#, nil),
            (#"{"source":"a","output":"b.png","max-file-size":0}"#, "must be 1 or more"),
            (#"{"source":"a","quality":80}"#, "name the output"), (#"{"source":"a","mode":"fit"}"#, "name one"),
            (#"{"source":"a","thumbnail":300,"mode":"round"}"#, "fit, fill or stretch"),
            (#"{"source":"a","thumbnail":300,"mode":"fill"}"#, nil),
            (#"{"source":"a","thumbnail":"wide"}"#, "thumbnail: a size is"),
            (#"{"source":"a","transform":"gray"}"#, nil), (#"{"source":"a","transform":["gray","flip:h"]}"#, nil),
            (#"{"source":"a","transform":["gray",1]}"#, "a list of strings"),
            (#"{"source":"a","transform":"explode"}"#, "transform: "),
            (#"{"source":"a","allow-partial":1}"#, "true or false"), (#"{"source":"a","size":"300x300"}"#, "no field size"),
            (#"{"source":"a","id":1.5}"#, "id is a string or a whole number"), (#"{"source":"a","id":[1]}"#, "id is a string"),
        ])
        func fieldsAreChecked(text: String, message: String?) {
            do throws(ImageError) {
                _ = try WorkJob(try WorkFields(line: Array(text.utf8)))
                #expect(message == nil, "\(text) is a job")
            } catch {
                #expect(error.code == .misuse && message.map(error.message.contains) == true, "\(text): \(error.message)")
            }
        }

        /// An id is repeated exactly; an address in it may have been meant as one, and nothing else shows a password.
        @Test func answersNameTheirJob() {
            var answer = WorkAnswer(line: 7)
            #expect(answer.json.text.hasPrefix(#"{"line":7,"ok":false,"error":{"code":"cancelled""#))
            answer.source = "https://me:secret@example.org/a.png"
            #expect(answer.json.text.hasPrefix(#"{"line":7,"source":"https://example.org/a.png","ok":false,"#))
            answer.id = .string("a://b:c@d")
            #expect(answer.json.text.hasPrefix(#"{"id":"a://b:c@d","source":"https://example.org/a.png","#))
            answer.id = .integer(-3)
            #expect(answer.json.text.hasPrefix(#"{"id":-3,"#))
        }
    }
#endif
