import CGannetSandbox
import GannetCore
import Glibc

/// Why this system has no sandbox, in words that say what to change.
enum SandboxUnavailable {
    static func inLibrary() -> ImageError {
        error("Gannet belongs to a library that the program loaded while it ran; link it to the program itself")
    }

    static func system(_ number: Int32) -> ImageError {
        error("a worker cannot be started: \(String(cString: strerror(number)))")
    }

    static func confinement(_ number: Int32) -> ImageError {
        let missing = gannet_sandbox_missing()
        if missing & UInt32(GANNET_SANDBOX_NO_SECCOMP) != 0 {
            return error("the kernel, or the container, does not allow system call filters (seccomp)")
        }
        if missing & UInt32(GANNET_SANDBOX_NO_LANDLOCK) != 0 {
            return error(
                "the kernel has no Landlock (5.13 and later, switched on), which limits the files that fonts are read from")
        }
        if number == EBUSY {
            return error(
                "a library has started a thread in the worker before it was confined, and that thread cannot be confined")
        }
        return error("a worker cannot be confined: \(String(cString: strerror(number)))")
    }

    private static func error(_ why: String) -> ImageError {
        ImageError(.sandboxUnavailable, stage: .decode, "No sandbox can be made here: \(why).")
    }
}
