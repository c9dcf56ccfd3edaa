import CGannetSandbox
import Foundation
import GannetCodecs
import GannetCore
import GannetImages
import GannetSandbox
import GannetTesting
import Glibc
import Testing

/// Libraries load files when they are first used, and a worker can open none.
@Suite struct LateLoadingTests {
    /// Libraries whose code this process has.
    private static func loaded() -> Set<Substring> {
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        return Set(
            maps.split(separator: "\n").compactMap { line in
                let fields = line.split(separator: " ", maxSplits: 5)
                return fields.count == 6 && fields[1].contains("x") ? fields[5] : nil
            })
    }

    // The first release whose exit tests capture values.
    #if compiler(>=6.3)
        @Test("After the preparation no file loads another library")
        func libraries() async throws {
            let files = try (SampleFiles.written() + SampleFiles.documents).map(\.bytes)
            await #expect(processExitsWith: .success) { [files = files as [[UInt8]]] in
                gannet_sandbox_forbid_workers()
                gannet_sandbox_load()
                gannet_sandbox_prepare(GANNET_SANDBOX_FONTS)
                let before = Self.loaded()
                let decoding = ImageDecoding(coders: CodersManager(BuiltInCoders.all))
                for file in files { _ = try? decoding.decode(ByteRope(file)) }
                let later = Self.loaded().subtracting(before)
                if !later.isEmpty { fatalError("loaded later: \(later.sorted())") }
            }
        }
    #endif

    #if SVG
        @Test("Documents in every encoding are drawn as in the process")
        func encodings() { #expect(SamePixelsTests.differences(SampleFiles.documents) == []) }

        @Test("A worker that draws documents has no thread that keeps its rights")
        func threads() throws {
            let pool = SandboxPool(kept: 1)
            var environment = DecodeEnvironment()
            environment.places = DecodePlaces(sandbox: pool, isolation: .sandboxed)
            let decoding = ImageDecoding(coders: CodersManager(BuiltInCoders.all), environment: environment)
            let document = try #require(SampleFiles.documents.last)
            _ = try decoding.decode(ByteRope(document.bytes))
            let zygote = try #require(pool.zygoteProcess)
            let workers = try String(contentsOfFile: "/proc/\(zygote)/task/\(zygote)/children", encoding: .utf8)
                .split(separator: " ")
            #expect(!workers.isEmpty)
            for worker in workers {
                for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(worker)/task") {
                    let status = try String(contentsOfFile: "/proc/\(worker)/task/\(thread)/status", encoding: .utf8)
                    #expect(status.contains("Seccomp:\t2"), "thread \(thread)")
                }
            }
        }
    #endif

    @Test("A process with a second thread is not confined, because that thread would keep its rights")
    func secondThread() async {
        await #expect(processExitsWith: .success) {
            var thread = pthread_t()
            let failure = pthread_create(
                &thread, nil,
                { _ in
                    pause()
                    return nil
                }, nil)
            guard failure == 0, gannet_sandbox_confine(GANNET_SANDBOX_STRICT, nil) == EBUSY else { fatalError("confined") }
        }
    }
}
