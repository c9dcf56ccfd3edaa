import CSandboxFaults
import GannetCore
import GannetImages
import GannetSandbox
import Glibc
import Testing

extension ImageDecoding {
    /// Decodes in workers of this pool.
    static func sandboxed(by pool: SandboxPool, _ coders: [any ImageCoder] = [FaultCoder()]) -> ImageDecoding {
        var environment = DecodeEnvironment()
        environment.places = DecodePlaces(sandbox: pool, isolation: .sandboxed)
        return ImageDecoding(coders: CodersManager(coders), environment: environment)
    }

    /// The gray of a drawn picture.
    func gray(_ file: ByteRope) throws(ImageError) -> UInt8 { try decode(file).bitmap.row(0)[0] }
}

@Suite struct ConfinementTests {
    @Test(
        "A worker that is told to is refused",
        arguments: [
            TRY_OPEN, TRY_CREATE, TRY_READ_PROC, TRY_SOCKET, TRY_UNIX_SOCKET, TRY_FORK, TRY_VFORK, TRY_EXEC, TRY_MAP_EXECUTABLE,
            TRY_MAKE_EXECUTABLE, TRY_SIGNAL_PARENT, TRY_SIGNAL_ALL, TRY_PTRACE, TRY_UNLINK, TRY_RAISE_LIMIT, TRY_DUPLICATE,
            TRY_GROW_MEMORY, TRY_NAMESPACE, TRY_IO_URING, TRY_KEYRING, TRY_BPF, TRY_SEND_DESCRIPTOR,
        ].map(\.rawValue))
    // U-23, S3-06
    func refused(_ attempt: UInt32) throws {
        let number = try ImageDecoding.sandboxed(by: .shared).gray(FaultCoder.file(.attempt, UInt8(attempt)))
        #expect(Int32(number) == EPERM || Int32(number) == ENOSYS)
    }

    @Test("The same attempts succeed where nothing forbids them, so that the test above could have failed")
    func allowedOutside() throws {
        for attempt in [TRY_OPEN, TRY_SOCKET, TRY_FORK, TRY_MAP_EXECUTABLE, TRY_READ_PROC] {
            #expect(sandbox_try_it(attempt) == 0)
        }
    }
}
