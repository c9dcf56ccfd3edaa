import GannetCore
import Glibc

/// The coder and the format, for messages.
struct DecoderName {
    var coder: String
    var format: ImageFormat

    /// `status` as waitpid gives it; nil: unknown.
    func crashed(_ status: Int32?) -> ImageError {
        guard let status else { return crashed("ended") }
        let signal = status & 0x7F
        if signal == 0 { return crashed("ended with exit code \(status >> 8 & 0xFF)") }
        if signal == SIGXCPU {
            return ImageError(
                .limitExceeded, stage: .decode,
                "Decoding takes too much processor time. Raise maximumDecodeTime or ask for a smaller target size.")
        }
        return crashed("was ended by signal \(signal) (\(Self.name(signal)))")
    }

    var hadTooMuchMemory: ImageError {
        ImageError(
            .limitExceeded, stage: .decode,
            "The decoder \(coder) took more memory for the \(format) file than this program has, and was ended. Raise the limit of memory, or ask for a smaller target size."
        )
    }

    func crashed(_ what: String) -> ImageError {
        ImageError(
            .decoderCrashed, stage: .decode,
            "The decoder \(coder) \(what) on the \(format) file, in its sandbox: nothing else is affected. The file may be an attack; get it from elsewhere, or report it to the decoder's authors."
        )
    }

    private static func name(_ signal: Int32) -> String {
        switch signal {
        case SIGSEGV: "SIGSEGV, memory that is not there"
        case SIGABRT: "SIGABRT, a check of its own"
        case SIGILL, SIGTRAP: "SIGILL, a check of its own"
        case SIGBUS: "SIGBUS, memory that is not there"
        case SIGFPE: "SIGFPE, an arithmetic error"
        case SIGSYS: "SIGSYS, a system call that it may not make"
        case SIGKILL: "SIGKILL, by the system or by hand"
        default: String(cString: strsignal(signal))
        }
    }
}
