import CGannetSandbox
import CSandboxFaults
import Foundation
import GannetCore
import GannetImages
import GannetPlatform
import GannetSandbox
import Glibc
import Testing

/// Remains of workers, as the system counts them.
enum Remains {
    /// Files in memory that this process has open.
    static func memoryFiles() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
            return target?.contains("gannet-sandbox") == true
        }
    }

    static func mappings() throws -> Int {
        try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).split(separator: "\n").count {
            $0.contains("gannet-sandbox")
        }
    }

    /// Also of those that have ended and were not reaped.
    static func children(of zygote: Int32) throws -> [Int32] {
        try String(contentsOfFile: "/proc/\(zygote)/task/\(zygote)/children", encoding: .utf8).split(separator: " ")
            .compactMap { Int32($0) }
    }
}

@Suite struct FaultTests {
    private static let faults = [
        FAULT_NULL_WRITE, FAULT_STACK_OVERFLOW, FAULT_HEAP_OVERFLOW, FAULT_ENDLESS_LOOP, FAULT_ALLOCATION, FAULT_EXIT,
        FAULT_ABORT, FAULT_UNASKED_MESSAGE, FAULT_SILENT_MESSAGE_FLOOD, FAULT_THREADS,
    ]

    private static func options() -> ResolvedDecodeOptions {
        var options = ResolvedDecodeOptions()
        options.limits.maximumDecodeTime = .milliseconds(300)
        return options
    }

    // U-23, S3-06
    @Test("Each fault is one typed error, early or late", arguments: faults.map(\.rawValue), [true, false])
    func oneError(_ fault: UInt32, _ isEarly: Bool) throws {
        let decoding = ImageDecoding.sandboxed(by: SandboxPool(kept: 1))
        let file = FaultCoder.file(isEarly ? .commitEarly : .commit, UInt8(fault))
        let error = #expect(throws: ImageError.self) { try decoding.decode(file, options: Self.options()) }
        let isTime = [FAULT_ENDLESS_LOOP, FAULT_SILENT_MESSAGE_FLOOD].map(\.rawValue).contains(fault)
        #expect(error?.code == .decoderCrashed || isTime && error?.code == .limitExceeded)
        #expect(try decoding.gray(FaultCoder.file(.draw, 77)) == 77)
    }

    @Test(
        "An image never shows what was in memory for another one",
        .disabled(if: sandbox_is_sanitized() != 0, "AddressSanitizer has a heap of its own"))
    func memory() throws {
        // One worker for both.
        var decoding = ImageDecoding.sandboxed(by: SandboxPool(kept: 1))
        decoding.environment.places.origin = ImageOrigin(of: ImageSource("https://a.example/"))
        for number in [UInt8(7), 77, 200] {
            #expect(try decoding.gray(FaultCoder.file(.spill, number)) == number)
            #expect(try decoding.gray(FaultCoder.file(.leave, 0)) == ~UInt8(GANNET_SANDBOX_FILL))
        }
    }

    @Test("What a worker's decoder reserves counts in the budget of the program, until the session ends")
    func budget() throws {
        var decoding = ImageDecoding.sandboxed(by: .shared)
        let budget = ResourceBudget(capacity: 8 << 20)
        decoding.environment.budget = budget
        #expect(try decoding.gray(FaultCoder.file(.reserve, 7)) == 7)
        #expect(budget.usedBytes == 0)
        #expect(budget.peakBytes > 7 << 20)
        let error = #expect(throws: ImageError.self) { try decoding.decode(FaultCoder.file(.reserve, 9)) }
        #expect(error?.code == .limitExceeded)
        #expect(budget.usedBytes == 0)
    }

    // S3-06
    @Test("A worker that asks for memory without end is ended, whatever it gets")
    func requests() throws {
        var decoding = ImageDecoding.sandboxed(by: .shared)
        let budget = ResourceBudget(capacity: 8 << 20)
        decoding.environment.budget = budget
        #expect(try decoding.gray(FaultCoder.file(.reserveBytes, 50)) == 50)
        let error = #expect(throws: ImageError.self) { try decoding.decode(FaultCoder.file(.reserveBytes, 101)) }
        #expect(error?.code == .decoderCrashed && error?.message.contains("10000 times") == true)
        #expect(budget.usedBytes == 0)
    }

    // S3-06
    @Test("A worker that begins threads without end is ended, and the reason is in the message")
    func threads() throws {
        let error = #expect(throws: ImageError.self) {
            try ImageDecoding.sandboxed(by: .shared).decode(FaultCoder.file(.commit, UInt8(FAULT_THREADS.rawValue)))
        }
        #expect(error?.code == .decoderCrashed && error?.message.contains("threads") == true)
    }

    @Test("A worker that has ended before its session does leaves no process behind")
    func endedIdle() throws {
        let pool = SandboxPool(kept: 1)
        var decoding = ImageDecoding.sandboxed(by: pool)
        decoding.environment.places.origin = ImageOrigin(of: ImageSource("https://a.example/"))
        var session: DecodeSession? = try decoding.open(FaultCoder.file(.draw, 77), ResolvedDecodeOptions())
        #expect(session != nil)
        let zygote = try #require(pool.zygoteProcess)
        for worker in try Remains.children(of: zygote) {
            kill(worker, SIGKILL)
            // Until it has ended: its socket then refuses what the session sends at its end.
            while try !String(contentsOfFile: "/proc/\(worker)/stat", encoding: .utf8).contains(") Z ") { sched_yield() }
        }
        session = nil
        #expect(try Remains.children(of: zygote) == [])
    }

    @Test("The signal, the coder and the format are in the message")
    func message() throws {
        let decoding = ImageDecoding.sandboxed(by: .shared)
        let error = #expect(throws: ImageError.self) {
            try decoding.decode(FaultCoder.file(.commit, UInt8(FAULT_NULL_WRITE.rawValue)))
        }
        #expect(error?.message.contains("SIGSEGV") == true)
        #expect(error?.message.contains("fault") == true)
    }

    @Test("An ordinary error of the decoder keeps its code and its words, and the worker lives")
    func ordinaryError() throws {
        let error = #expect(throws: ImageError.self) {
            try ImageDecoding.sandboxed(by: .shared).decode(FaultCoder.file(.refuse, 0))
        }
        #expect(error?.code == .corrupt)
        #expect(error?.message == "The file is refused.")
    }

    @Test("A size beyond the limits is refused by the program, whatever the worker says")
    func lie() throws {
        let error = #expect(throws: ImageError.self) {
            try ImageDecoding.sandboxed(by: .shared).decode(FaultCoder.file(.lie, 0))
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test("Bad files beside as many good ones at once: exactly the bad ones fail, and nothing is left")
    func besideGoodOnes() async throws {
        let count = Int(ProcessInfo.processInfo.environment["GANNET_SANDBOX_LOADS"] ?? "") ?? 60
        let zygote: Int32
        do {
            let pool = SandboxPool(kept: 2)
            let decoding = ImageDecoding.sandboxed(by: pool)
            let wrong: [String] = await withTaskGroup(of: String?.self) { group in
                for number in 0..<2 * count {
                    group.addTask {
                        let fault = Self.faults[number / 2 % Self.faults.count]
                        let isBad = number % 2 == 0
                        let file =
                            isBad ? FaultCoder.file(.commit, UInt8(fault.rawValue)) : FaultCoder.file(.draw, UInt8(number % 251))
                        // The short limit is for those that never end: a sound one may have to wait for a processor.
                        let options = isBad ? Self.options() : ResolvedDecodeOptions()
                        let result = try? await BlockingExecutor.decoding.run { () throws(ImageError) in
                            Result { () throws(ImageError) in try decoding.decode(file, options: options) }
                        }
                        let isRight =
                            switch result {
                            case .success(let image): !isBad && image.bitmap.row(0)[0] == UInt8(number % 251)
                            case .failure(let error): isBad && [.decoderCrashed, .limitExceeded].contains(error.code)
                            case nil: false
                            }
                        return isRight ? nil : "\(number), \(isBad ? "\(fault)" : "sound"): \(String(describing: result))"
                    }
                }
                return await group.reduce(into: []) { if let text = $1 { $0.append(text) } }
            }
            #expect(wrong == [])
            zygote = try #require(pool.zygoteProcess)
            #expect(try Remains.children(of: zygote).count <= 2)
            // Every bad file has cost a worker and its two files; other tests have a few too.
            #expect(try Remains.memoryFiles() < count)
            #expect(try Remains.mappings() < count)
        }
        #expect(kill(zygote, 0) != 0 && errno == ESRCH)
    }
}
