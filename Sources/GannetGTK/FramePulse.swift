#if GTK
    import CGTK
    import CGannetShims

    /// One slot that waits for a frame of its window's clock.
    @GTKActor final class PulseMember {
        weak var slot: ImageSlot?
        /// Frame time in microseconds from which on the slot is called; nil: never. Zero is the next frame.
        fileprivate(set) var due: gint64?
        fileprivate weak var pulse: FramePulse?

        init(_ slot: ImageSlot) { self.slot = slot }

        /// Calls the slot in the first frame at or after `time`.
        func wake(at time: gint64) {
            due = time
            pulse?.hurry(to: time)
        }

        func leave() {
            due = nil
            pulse?.remove(self)
            pulse = nil
        }
    }

    /// Drives the animations of one window: wakes when the first is due, and calls all that are due in the update phase of the
    /// frame clock. They share one timer and one signal, without an allocation for a frame. GTK's own tick callbacks and
    /// timeouts, renewed for each frame of each animation, cost about ten.
    ///
    /// Belongs to the frame clock and ends with it.
    @GTKActor final class FramePulse {
        /// Unowned: the clock holds this object.
        private let clock: OpaquePointer
        private let timer: UnsafeMutablePointer<GSource>
        private var members: [PulseMember?] = []
        private var isCalling = false
        /// Something moves in every frame: the clock keeps ticking evenly.
        private var isContinuous = false

        private static let key = "gannet-pulse"
        /// Microseconds that a call may come early: a quarter of a frame. Frame times are smoothed; a call due just after a
        /// frame would otherwise be a whole frame late.
        private static let early: gint64 = 4000

        static func of(_ clock: OpaquePointer) -> FramePulse? {
            let object = UnsafeMutableRawPointer(clock).assumingMemoryBound(to: GObject.self)
            if let found = Handed.object(g_object_get_data(object, key), as: FramePulse.self) { return found }
            guard let timer = g_source_new(functions, UInt32(MemoryLayout<GSource>.size)) else { return nil }
            let pulse = FramePulse(clock, timer)
            g_object_set_data_full(object, key, Handed.retain(pulse), Handed.release)
            return pulse
        }

        private init(_ clock: OpaquePointer, _ timer: UnsafeMutablePointer<GSource>) {
            self.clock = clock
            self.timer = timer
            g_source_set_priority(timer, G_PRIORITY_DEFAULT)
            g_source_set_ready_time(timer, -1)
            g_source_set_callback(
                timer,
                { data in
                    guard let handler = Handed.object(data, as: Handler<Void>.self) else { return 0 }
                    GTKActor.assumeIsolated { handler.call(()) }
                    return 1
                }, Handed.retain(Handler<Void> { [weak self] in self?.ring() }), Handed.release)
            g_source_attach(timer, g_main_context_default())
            GTKWidget(clock).connect("update") { [weak self] in self?.update() }
        }

        isolated deinit {
            g_source_destroy(timer)
            g_source_unref(timer)
        }

        func add(_ member: PulseMember) {
            guard member.pulse !== self else { return }
            member.leave()
            member.pulse = self
            members.append(member)
        }

        fileprivate func remove(_ member: PulseMember) {
            guard let place = members.firstIndex(where: { $0 === member }) else { return }
            // Places stay while members are called.
            if isCalling { members[place] = nil } else { members.remove(at: place) }
            if members.isEmpty { plan() }
        }

        fileprivate func hurry(to time: gint64) {
            guard !isCalling else { return }
            if time <= gdk_frame_clock_get_frame_time(clock) { ring() } else { plan() }
        }

        /// Requests a frame.
        private func ring() {
            g_source_set_ready_time(timer, -1)
            gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_UPDATE)
        }

        private func update() {
            let now = gdk_frame_clock_get_frame_time(clock)
            isCalling = true
            // By index: a call may add members.
            var place = 0
            while place < members.count {
                defer { place += 1 }
                guard let member = members[place], let due = member.due, due <= now + Self.early else { continue }
                member.due = nil
                // The call itself may have requested an earlier wake-up than it returns.
                if let next = member.slot?.frameCame(at: max(now, due)), member.pulse === self {
                    member.due = min(next, member.due ?? next)
                }
            }
            isCalling = false
            members.removeAll { $0?.slot == nil }
            plan()
        }

        /// Sets the timer to the first member that is due.
        private func plan() {
            var first = gint64.max
            for member in members { first = min(first, member?.due ?? gint64.max) }
            let now = gdk_frame_clock_get_frame_time(clock)
            let goesOn = first <= now + Self.early
            if goesOn != isContinuous {
                isContinuous = goesOn
                if goesOn { gdk_frame_clock_begin_updating(clock) } else { gdk_frame_clock_end_updating(clock) }
            }
            if goesOn { return ring() }
            g_source_set_ready_time(timer, first == gint64.max ? -1 : first)
        }

        /// GLib keeps the address.
        private nonisolated(unsafe) static let functions: UnsafeMutablePointer<GSourceFuncs> = {
            let functions = UnsafeMutablePointer<GSourceFuncs>.allocate(capacity: 1)
            functions.initialize(to: GSourceFuncs())
            functions.pointee.dispatch = { _, callback, data in callback?(data) ?? 0 }
            return functions
        }()
    }
#endif
