/// A part that a worker process of the sandbox makes anew, by its type alone.
///
/// A coder that conforms can be sandboxed: the worker is the same program, so that it finds the type, and calls ``init()``. Values
/// in the coder do not travel; neither do custom values of a request.
public protocol WorkerLoadable: Sendable {
    /// A value that decodes as every other value of the type does.
    init()
    /// Decodes in a language whose memory is safe, so that ``DecodeIsolation/automatic`` leaves it in the program's process.
    /// By default false.
    static var isMemorySafe: Bool { get }
}

extension WorkerLoadable {
    public static var isMemorySafe: Bool { false }
}

/// A coder whose library reads files in workers of the sandbox alone, whatever isolation is requested: ``DecodePlaces`` refuses
/// the file where there is no sandbox.
package protocol WorkerConfined: WorkerLoadable {}
