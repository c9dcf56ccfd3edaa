import GannetCore

/// Tells C code through ``stop`` whether to continue, and keeps the reason for stopping.
final class StopSign {
    private var watch: DecodeWatch
    private let interval: Int
    private var calls = 0
    private(set) var error: ImageError?

    /// - Parameter interval: The clock is read once in so many checks; the others cost nothing.
    init(_ watch: DecodeWatch, every interval: Int = 1) {
        self.watch = watch
        self.interval = interval
    }

    /// Restarts the time after a pause. Stopped work stays stopped.
    func renew(_ watch: DecodeWatch) { self.watch = watch }

    func check() throws(ImageError) { try watch.check() }

    private func isOver() -> Bool {
        calls &+= 1
        guard error == nil else { return true }
        guard calls % interval == 0 else { return false }
        do throws(ImageError) { try watch.check() } catch { self.error = error }
        return error != nil
    }

    /// The argument for ``ask``. Valid while this object lives.
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Returns 1 if the work must stop.
    static let ask: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
        guard let context else { return 0 }
        return Unmanaged<StopSign>.fromOpaque(context).takeUnretainedValue().isOver() ? 1 : 0
    }
}
