public import CGTKBench
public import GannetGTK
import Glibc

/// What GTK's thread does for each frame of one clock, in milliseconds.
@GTKActor public final class FrameWork {
    /// Processor time from the beginning of a frame to the end of its painting: other programs do not change it.
    public private(set) var frames: [Double] = []
    /// The same by the clock on the wall.
    public private(set) var elapsed: [Double] = []
    /// Processor time from the beginning of a frame to that of the next one: with everything that the thread does in between.
    public private(set) var intervals: [Double] = []
    /// Frames that began more than one and a half of a display's intervals (16.7 ms) after the one before.
    public private(set) var leftOut = 0
    /// Called in each frame before its layout, with the seconds since the frame before.
    public var onFrame: ((Double) -> Void)?
    private var began: (processor: Double, wall: Double)?
    private var last: gint64 = 0
    private let clock: OpaquePointer

    /// - Parameter isContinuous: frames come at the rate of the display, as while a finger moves; otherwise when there is something to
    ///   paint.
    public init(_ clock: OpaquePointer, isContinuous: Bool) {
        self.clock = clock
        connect("before-paint") { $0.begin() }
        connect("update") { $0.update() }
        connect("after-paint") { $0.end() }
        if isContinuous { gdk_frame_clock_begin_updating(clock) }
    }

    private func begin() {
        let now = (processor: Self.time(CLOCK_THREAD_CPUTIME_ID), wall: Self.time(CLOCK_MONOTONIC))
        if let began {
            intervals.append(now.processor - began.processor)
            if now.wall - began.wall > 25 { leftOut += 1 }
        }
        began = now
    }

    private func update() {
        let now = gdk_frame_clock_get_frame_time(clock)
        // After a pause of the machine the wall goes on where it was.
        if last != 0 { onFrame?(min(Double(now - last) / 1_000_000, 0.1)) }
        last = now
    }

    private func end() {
        guard let began else { return }
        frames.append(Self.time(CLOCK_THREAD_CPUTIME_ID) - began.processor)
        elapsed.append(Self.time(CLOCK_MONOTONIC) - began.wall)
    }

    public func reset() { (frames, elapsed, intervals, leftOut, began) = ([], [], [], 0, nil) }

    private static func time(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
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

extension GalleryWindow {
    /// The scrolled window: the first page of the window's stack.
    public var scroller: UnsafeMutableRawPointer? {
        let window = window.raw.assumingMemoryBound(to: GtkWindow.self)
        guard let stack = gtk_window_get_child(window), let wall = gtk_stack_get_child_by_name(OpaquePointer(stack), "wall")
        else {
            return nil
        }
        return UnsafeMutableRawPointer(wall)
    }
}

/// To three digits behind the point.
public func round3(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
