/// Where an image is decoded. Some formats, JPEG 2000, raw files, Lottie and PDF among them, are always ``sandboxed``, whatever is requested.
public enum DecodeIsolation: String, Hashable, Sendable, CaseIterable {
    /// In this process: the fastest, for files that you made yourself.
    case inProcess
    /// In a worker process that can do nothing but decode. A coder that cannot be made in a worker (``WorkerLoadable``) is an
    /// error.
    case sandboxed
    /// In a worker where a library in C reads bytes from the network or from an unknown file; in this process for decoders in
    /// Swift, for what this cache wrote, and for coders that cannot be made in a worker.
    case automatic
}
