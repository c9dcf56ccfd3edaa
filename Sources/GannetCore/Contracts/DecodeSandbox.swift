/// Processes that decode and can do nothing else.
package protocol DecodeSandbox: Sendable {
    /// The same coder, whose decoders work in the sandbox. Nil: it cannot be made there.
    func sandboxed(_ coder: any ImageCoder) -> (any ImageCoder)?
    /// Runs a program on these bytes; `output` gets what it writes, piece by piece. Its processor time is that of a step of a decode.
    /// Blocking. Throws `unsupported` if the system does not have the program, `decoderCrashed`, `limitExceeded`, `cancelled`,
    /// `sandboxUnavailable`, and what `output` throws, which ends the program.
    func run(
        _ program: ConfinedProgram, on bytes: ByteRope, within limits: DecodeLimits,
        output: (Span<UInt8>) throws(ImageError) -> Void
    ) throws(ImageError) -> ConfinedProgram.End
    /// Makes processes ready, so that the first image need not wait. Blocking; does nothing where there is no sandbox.
    func warmUp()
    /// The reason why this system has no sandbox; nil: it has one. Blocking; tried once.
    func unavailability() -> ImageError?
    /// The numbers of these processes.
    var processes: [Int32] { get }
    /// For processes that start later.
    func limit(_ limits: SandboxLimits)
    /// Ends idle processes that have decoded something, with all that their libraries keep. Blocking, shortly.
    func rest()
    /// Ends the process that has the most memory, if that is more than `bytes`: its image fails with `limitExceeded`. False: there is none.
    func endLargest(above bytes: Int) -> Bool
}

/// The memory of a sandbox.
package struct SandboxLimits: Hashable, Sendable {
    /// Of the last image's pixels, and of its file: kept by each process for the next one.
    package var keptPixels: Int
    package var keptFile: Int
    /// Of each process, beside what it has before its first image; nil: three times what its image may have, and 512 MiB.
    package var processBytes: Int?

    /// Processes of a kind that wait for an image; nil: as many as processors.
    package var idle: Int?

    package init(keptPixels: Int = 64 << 20, keptFile: Int = 4 << 20, processBytes: Int? = nil, idle: Int? = nil) {
        (self.keptPixels, self.keptFile, self.processBytes, self.idle) = (keptPixels, keptFile, processBytes, idle)
    }
}

/// Decides where files are decoded.
package struct DecodePlaces: Sendable {
    package var sandbox: (any DecodeSandbox)?
    /// The isolation of requests that name none.
    package var isolation: DecodeIsolation
    /// Overrides ``isolation``, by the identifiers of formats.
    package var byFormat: [String: DecodeIsolation]
    /// Whose bytes they are; nil: they share a worker of the sandbox with no other file.
    package var origin: ImageOrigin?

    package init(
        sandbox: (any DecodeSandbox)? = nil, isolation: DecodeIsolation = .inProcess, byFormat: [String: DecodeIsolation] = [:]
    ) {
        self.sandbox = sandbox
        self.isolation = isolation
        self.byFormat = byFormat
    }

    /// The coder that decodes this file. Throws `sandboxUnavailable`, and `misuse` for a coder that cannot be sandboxed.
    package func coder(_ coder: any ImageCoder, for format: ImageFormat, _ requested: DecodeIsolation?) throws(ImageError)
        -> any ImageCoder
    {
        switch coder is any WorkerConfined || coder is any ProgramConfined
            ? .sandboxed : requested ?? byFormat[format.identifier] ?? isolation
        {
        case .inProcess: return coder
        case .automatic:
            guard let sandbox, let type = type(of: coder) as? any WorkerLoadable.Type, !type.isMemorySafe,
                sandbox.unavailability() == nil
            else { return coder }
            return sandbox.sandboxed(coder) ?? coder
        case .sandboxed:
            guard let sandbox else {
                throw ImageError(
                    .sandboxUnavailable, stage: .decode,
                    "The manager has no sandbox: import GannetSandbox and call useSandbox() on its configuration.")
            }
            if let error = sandbox.unavailability() { throw error }
            guard let sandboxed = sandbox.sandboxed(coder) else {
                throw ImageError(
                    .misuse, stage: .decode,
                    "The coder \(coder.identifier) cannot be made in a sandbox: conform its type to WorkerLoadable, or decode in this process (isolation: .inProcess)."
                )
            }
            return sandboxed
        }
    }
}
