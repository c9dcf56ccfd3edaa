import GannetCore
import GannetPlatform
import Glibc
import Testing

@testable import GannetSandbox

/// What a program of the system can do in the sandbox. Perl, which every Debian has, tries it.
@Suite(.enabled(if: access("/usr/bin/perl", X_OK) == 0, "/usr/bin/perl is not installed"))
struct ProgramTests {
    /// Reads its script from its input.
    private static let perl = ConfinedProgram("perl", of: "perl-base", for: .pnm, ["-"])

    private static func run(_ script: String, within limits: DecodeLimits = .standard) throws -> String {
        var text: [UInt8] = []
        _ = try SandboxPool.shared.run(perl, on: ByteRope(Array(script.utf8)), within: limits) { piece throws(ImageError) in
            for index in piece.indices { text.append(piece[index]) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    @Test("It reads the file from its input, and what it writes comes in pieces, whole")
    func bytesPass() throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let script = "binmode DATA; while (read(DATA, $b, 65536)) { print $b } print STDERR 'done'; exit 3;\n__END__\n"
        var rope = ByteRope(Array(script.utf8), isComplete: false)
        rope.append(bytes)
        rope.isComplete = true
        var back: [UInt8] = []
        let end = try SandboxPool.shared.run(Self.perl, on: rope, within: .standard) { piece throws(ImageError) in
            for index in piece.indices { back.append(piece[index]) }
        }
        #expect(back == bytes && end.exitCode == 3 && end.messages == "done")
    }

    @Test(
        "It has no right to anything else",
        arguments: [
            "open(F, '<', '/etc/passwd') or print $!", "open(F, '<', '/proc/self/environ') or print $!",
            "open(F, '<', '/etc/hostname') or print $!", "opendir(F, '/') or print $!", "opendir(F, '/tmp') or print $!",
            "open(F, '>', '/tmp/gannet-program') or print $!", "unlink('/usr/bin/perl') or print $!",
            "open(F, '+<', '/proc/self/fd/0') or print $!", "mkdir('/tmp/gannet-program') or print $!",
            "use Socket; socket(S, PF_INET, SOCK_STREAM, 0) or print $!",
            "use Socket; socket(S, PF_UNIX, SOCK_DGRAM, 0) or print $!",
            "defined(fork) or print $!", "exec('/usr/bin/env') or print $!", "kill(9, getppid) or print $!",
            "kill(0, 1) or print $!",
        ])
    func nothingElse(_ script: String) throws {
        let said = try Self.run(script)
        #expect(["Permission denied", "Operation not permitted"].contains(said), "\(script): \(said)")
    }

    @Test("Its environment is empty, and it has three descriptors")
    func environment() throws {
        #expect(try Self.run("print scalar(%ENV) ? 'some' : 'none'") == "none")
        #expect(try Self.run("for (0..200) { push @f, $_ if -e \"/proc/self/fd/$_\" } print \"@f\"") == "0 1 2")
    }

    @Test("One that is missing is named with its package")
    func missing() {
        let program = ConfinedProgram("gannet-has-no-such-program", of: "such-package", for: .pnm, [])
        let error = #expect(throws: ImageError.self) {
            try SandboxPool.shared.run(program, on: ByteRope(), within: .standard) { _ throws(ImageError) in }
        }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("gannet-has-no-such-program") == true && error?.message.contains("such-package") == true)
    }

    @Test("Its crash is one typed error")
    func crash() {
        let error = #expect(throws: ImageError.self) { try Self.run("print unpack('p', pack('J', 1))") }
        #expect(error?.code == .decoderCrashed && error?.message.contains("perl") == true, "\(String(describing: error))")
    }

    @Test("Memory is limited")
    func memory() {
        var limits = DecodeLimits.standard
        (limits.maximumDecodedBytes, limits.maximumEncodedBytes) = (1 << 20, 1 << 20)
        let error = #expect(throws: ImageError.self) { try Self.run("$x = 'a' x (1 << 30); print length $x", within: limits) }
        #expect(error?.code == .limitExceeded && error?.message.contains("memory") == true)
    }

    @Test("Processor time is limited")
    func time() {
        var limits = DecodeLimits.standard
        limits.maximumDecodeTime = .milliseconds(50)
        let error = #expect(throws: ImageError.self) { try Self.run("1 while 1", within: limits) }
        #expect(error?.code == .limitExceeded && error?.message.contains("maximumDecodeTime") == true)
    }

    @Test("Cancelling the task ends the process")
    func cancelled() async throws {
        let seen = Task(executorPreference: BlockingExecutor.decoding) { () -> (ImageError?, Int32) in
            var number: [UInt8] = []
            do throws(ImageError) {
                // With its number, it is told that the program runs.
                let script = ByteRope(Array("$| = 1; print \"$$.\"; 1 while 1".utf8))
                _ = try SandboxPool.shared.run(Self.perl, on: script, within: .standard) { piece throws(ImageError) in
                    for index in piece.indices { number.append(piece[index]) }
                    if number.last == UInt8(ascii: ".") { withUnsafeCurrentTask { $0?.cancel() } }
                }
                return (nil, 0)
            } catch { return (error, Int32(String(decoding: number.dropLast(), as: UTF8.self)) ?? 0) }
        }
        let (error, pid) = await seen.value
        #expect(error?.code == .cancelled && pid > 0)
        #expect(kill(pid, 0) != 0 && errno == ESRCH)
    }

    @Test("An error of the reader ends the process")
    func refused() {
        let error = #expect(throws: ImageError.self) {
            try SandboxPool.shared.run(Self.perl, on: ByteRope(Array("print 'x' while 1".utf8)), within: .standard) {
                _ throws(ImageError) in throw ImageError(.corrupt, "enough")
            }
        }
        #expect(error?.message == "enough")
    }
}
