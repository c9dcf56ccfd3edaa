import CGTKBench
import GannetGTK
import Glibc

/// The processor time of GTK's thread for each frame, in milliseconds: other programs do not change it.
@GTKActor final class FrameWork {
    /// From the beginning of a frame to the end of its painting.
    private(set) var frames: [Double] = []
    /// From the beginning of a frame to that of the next one: with everything that the thread does in between.
    private(set) var intervals: [Double] = []
    /// Called in each frame before its layout, with the seconds since the frame before.
    var onFrame: ((Double) -> Void)?
    private var began = 0.0
    private var last: gint64 = 0
    private let clock: OpaquePointer

    init(_ clock: OpaquePointer) {
        self.clock = clock
        connect("before-paint") { $0.begin() }
        connect("update") { $0.update() }
        connect("after-paint") { $0.end() }
        // Frames at the rate of the display, as while a finger moves.
        gdk_frame_clock_begin_updating(clock)
    }

    private func begin() {
        let now = Self.processorTime()
        if began != 0 { intervals.append(now - began) }
        began = now
    }

    private func update() {
        let now = gdk_frame_clock_get_frame_time(clock)
        // After a pause of the machine the wall goes on where it was.
        if last != 0 { onFrame?(min(Double(now - last) / 1_000_000, 0.1)) }
        last = now
    }

    private func end() { frames.append(Self.processorTime() - began) }

    func reset() { (frames, intervals, began) = ([], [], 0) }

    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
    }

    private final class Call {
        let body: @GTKActor () -> Void
        init(_ body: @escaping @GTKActor () -> Void) { self.body = body }
    }

    /// The connection lasts as long as the program.
    private func connect(_ signal: String, _ body: @escaping @GTKActor (FrameWork) -> Void) {
        let call: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Void = { _, data in
            guard let data else { return }
            let call = Unmanaged<Call>.fromOpaque(data).takeUnretainedValue()
            GTKActor.assumeIsolated { call.body() }
        }
        g_signal_connect_data(
            UnsafeMutableRawPointer(clock), signal, unsafeBitCast(call, to: GCallback.self),
            Unmanaged.passRetained(Call { body(self) }).toOpaque(), nil, GConnectFlags(0))
    }
}
