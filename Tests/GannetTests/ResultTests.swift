#if PNG
    import Dispatch
    import FoundationEssentials
    import Gannet
    import GannetCore
    import GannetTesting
    import Synchronization
    import Testing

    /// Encoding and frames from async code: elsewhere, and back on the caller's actor.
    @Suite struct ResultTests {
        /// Notes on which threads its frames were decoded.
        private final class Threads: FrameSource {
            let frame: Bitmap
            private let names = Mutex<[String]>([])
            /// The threads since it was read last.
            var taken: [String] {
                names.withLock { names in
                    defer { names = [] }
                    return names
                }
            }
            var byteCount: Int { 0 }

            init(_ frame: Bitmap) { self.frame = frame }

            func frame(at index: Int) throws(ImageError) -> Bitmap {
                let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
                names.withLock { $0.append(name ?? "") }
                return frame
            }
        }

        /// The main queue is where the main actor runs, on whichever thread: on Linux that changes (`dispatch_main`).
        private static let mainKey: DispatchSpecificKey<Bool> = {
            let key = DispatchSpecificKey<Bool>()
            DispatchQueue.main.setSpecific(key: key, value: true)
            return key
        }()
        private static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainKey) == true }

        private let threads: Threads
        private let clip: AnimatedImage

        init() throws {
            let (first, second) = (try TestImages.flat(), try TestImages.gradient())
            threads = Threads(second)
            clip = AnimatedImage(
                metadata: ImageMetadata(format: .png, originalSize: first.size), poster: first, loopCount: 0,
                delays: [.milliseconds(50), .milliseconds(50)], source: threads)
        }

        @Test @MainActor func encodingRunsOnAThreadForDecoding() async throws {
            let image = DecodedImage.animated(clip)
            func isForDecoding(_ thread: String) -> Bool { thread.hasPrefix("gannet-decode") }
            let bytes = try await image.encoded(EncodeOptions(format: .png)).bytes.contiguous()
            let encoding = threads.taken
            #expect(!encoding.isEmpty && encoding.allSatisfy(isForDecoding))
            #expect(try image.blockingEncoded(EncodeOptions(format: .png)).bytes.contiguous() == bytes)
            let blocking = threads.taken
            #expect(!blocking.isEmpty && !blocking.contains(where: isForDecoding), "it runs where it is called")
            #expect(try await image.pngData() == Data(bytes))
            #expect(threads.taken.allSatisfy(isForDecoding))
        }

        @Test @MainActor func aFrameIsDecodedOnAThreadForDecoding() async throws {
            #expect(try await clip.frame(at: 1).packedBytes() == threads.frame.packedBytes())
            let decoding = threads.taken
            #expect(decoding.count == 1 && decoding[0].hasPrefix("gannet-decode"))
            #expect(try await clip.frame(at: 0).identity == clip.poster.identity)
        }

        @Test @MainActor func errorsComeBackToTheCallersActor() async {
            let image = DecodedImage.animated(clip)
            #expect(Self.isOnMainQueue)
            for _ in 0..<8 {
                do {
                    _ = try await image.encoded(
                        EncodeOptions(format: ImageFormat(identifier: "of-nobody", mimeTypes: [], fileExtensions: [])))
                    Issue.record("no coder writes this format")
                } catch { #expect(error.code == .unsupported && Self.isOnMainQueue) }
                do {
                    _ = try await clip.frame(at: 2)
                    Issue.record("there are two frames")
                } catch { #expect(error.code == .misuse && Self.isOnMainQueue) }
                do {
                    try await image.write(to: "/tmp/picture.nothing")
                    Issue.record("the format is unknown")
                } catch { #expect(error.code == .misuse && Self.isOnMainQueue) }
            }
        }

        @Test func nothingIsEncodedForACancelledTask() async {
            let image = DecodedImage.animated(clip)
            let work = Task { () -> ImageError.Code? in
                withUnsafeCurrentTask { $0?.cancel() }
                do throws(ImageError) {
                    _ = try await image.encoded(EncodeOptions(format: .png))
                    return nil
                } catch { return error.code }
            }
            #expect(await work.value == .cancelled)
            #expect(threads.taken.isEmpty)
        }
    }
#endif
