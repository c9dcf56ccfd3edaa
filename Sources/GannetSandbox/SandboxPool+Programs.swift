import CGannetSandbox
package import GannetCore
import Glibc

extension SandboxPool {
    /// Programs are looked for nowhere else, whatever the environment of this process says.
    private static let folders = ["/usr/local/bin", "/usr/bin"]

    package func run(
        _ program: ConfinedProgram, on bytes: ByteRope, within limits: DecodeLimits,
        output: (Span<UInt8>) throws(ImageError) -> Void
    ) throws(ImageError) -> ConfinedProgram.End {
        let path = try Self.path(of: program)
        let file = try SandboxMemory(ownLimits)
        try file.write(bytes, 0..<bytes.count)
        let run = try started { zygote throws(ImageError) in
            try SandboxProgram(program, path, file, limits, from: zygote, in: register, ownLimits)
        }
        return try run.finish(within: limits, output)
    }

    private static func path(of program: ConfinedProgram) throws(ImageError) -> String {
        for folder in folders {
            let path = "\(folder)/\(program.name)"
            if access(path, X_OK) == 0 { return path }
        }
        throw ImageError(
            .unsupported, stage: .decode,
            "A file of the format \(program.format) is read by \(program.name), which this system does not have. Install the package \(program.package)."
        )
    }
}
