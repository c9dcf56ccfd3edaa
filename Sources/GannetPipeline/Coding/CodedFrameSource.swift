package import GannetCore
import Synchronization

/// Frames decoded from the file when they are asked for. Keeps one session, because decoders build a frame upon the one before.
package final class CodedFrameSource: FrameSource {
    private let bytes: ByteRope
    private let coder: any ImageCoder
    private let format: ImageFormat
    private let options: ResolvedDecodeOptions
    private let environment: DecodeEnvironment
    private let canvas: Int
    /// Held while a frame is decoded, so that two askers do not disturb one session. Nothing of the user's runs under it but his coder.
    private let session = Mutex<DecodeSession?>(nil)

    init(
        bytes: ByteRope, coder: any ImageCoder, format: ImageFormat, options: ResolvedDecodeOptions,
        environment: DecodeEnvironment, canvas: Int
    ) {
        self.bytes = bytes
        self.coder = coder
        self.format = format
        var options = options
        options.coder = coder
        options.formatHint = format
        self.options = options
        self.environment = environment
        self.canvas = canvas
    }

    package func frame(at index: Int) throws(ImageError) -> Bitmap {
        try session.withLock { session throws(ImageError) -> Bitmap in
            if session == nil {
                session = try ImageDecoding(coders: CodersManager([coder]), environment: environment).open(bytes, options)
            }
            do throws(ImageError) {
                guard let session else { throw .cancelled(stage: .decode) }
                return try session.frame(index)
            } catch {
                // Errors stick in a session; a cancelled one must not spoil the next asker's frame.
                session = nil
                throw error
            }
        }
    }

    /// Gives the session back, with its canvas. Does nothing while a frame is decoded.
    package func rest() { _ = session.withLockIfAvailable { $0 = nil } }

    /// The file, and one canvas in the session.
    package var byteCount: Int { bytes.count + canvas }
}
