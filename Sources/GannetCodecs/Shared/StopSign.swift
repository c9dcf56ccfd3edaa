import GannetCore

/// What C code asks through ``stop`` while it works: whether it shall go on. Keeps the reason why not.
final class StopSign {
    private var watch: DecodeWatch
    private let interval: Int
    private var calls = 0
    private(set) var error: ImageError?

    /// - Parameter interval: Every so many questions the clock is looked at; the others cost nothing.
    init(_ watch: DecodeWatch, every interval: Int = 1) {
        self.watch = watch
        self.interval = interval
    }

    /// For work that goes on after a pause, which does not count. What has been stopped stays stopped.
    func renew(_ watch: DecodeWatch) { self.watch = watch }

    func check() throws(ImageError) { try watch.check() }

    private func isOver() -> Bool {
        calls &+= 1
        guard error == nil else { return true }
        guard calls % interval == 0 else { return false }
        do throws(ImageError) { try watch.check() } catch { self.error = error }
        return error != nil
    }

    /// The address that ``ask`` wants. Valid as long as this object.
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Answers 1 if the work shall end.
    static let ask: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
        guard let context else { return 0 }
        return Unmanaged<StopSign>.fromOpaque(context).takeUnretainedValue().isOver() ? 1 : 0
    }
}
