#if HTTP
    import CCurl
    import CGannetCURL
    import GannetCore
    import Glibc

    /// The state of a ``CURLLoop``'s thread: the multi handle, and the handles of transfers. Confined to that thread.
    final class CURLThread {
        private let loop: CURLLoop
        private let multi: UnsafeMutableRawPointer
        private var running: [ObjectIdentifier: CURLHandle] = [:]
        private var idle: [CURLHandle] = []
        /// Handles whose readers may have to be woken at the end of this turn.
        private var touched: [CURLHandle] = []
        private var commands: [CURLLoop.Command] = []
        /// Sessions of TLS that their servers ended as they should, in this turn.
        private var properEnds: Set<UnsafeRawPointer> = []
        /// When the earliest deadline may pass.
        private var check = Instant.never
        /// The time of this turn.
        private(set) var now = Instant.now

        /// More would be kept for a burst that is over.
        private static let maximumIdle = 64
        /// Up to 8.0, a handle that is used again remembers the last field of its former answer, which is freed: it reads and writes
        /// there if the next answer begins with a folded line. Nothing but a new handle makes it forget.
        private static let keepsHandles = gannet_curl_is_at_least(8, 1)

        /// The sockets of all connections.
        let sockets = CURLSockets()

        var options: CURLTransport.Options { loop.options }
        var roots: CURLRoots { loop.roots }

        init(_ loop: CURLLoop, _ multi: UnsafeMutableRawPointer) {
            self.loop = loop
            self.multi = multi
        }

        func run() {
            Self.blockSignals()
            enter()
            defer { gannet_curl_leave() }
            while true {
                loop.takeCommands(into: &commands)
                for command in commands { carryOut(command) }
                commands.removeAll(keepingCapacity: true)
                var count: Int32 = 0
                let code = curl_multi_perform(multi, &count)
                finishTransfers()
                if code != CURLM_OK { endAll(code) }
                for handle in touched where handle.isWhole {
                    handle.finish(CURLE_OK)
                    remove(handle)
                }
                properEnds.removeAll(keepingCapacity: true)
                judgeDeadlines()
                for handle in touched { handle.wakeReader() }
                touched.removeAll(keepingCapacity: true)
                switch loop.next(isIdle: running.isEmpty) {
                case .turn: break
                case .wait: wait()
                case .end:
                    // Handles go first: the set closes the connections.
                    idle = []
                    curl_multi_cleanup(multi)
                    return
                }
                now = .now
            }
        }

        /// libcurl is used between this and the next `gannet_curl_leave`; the thread outlives neither.
        private func enter() { gannet_curl_enter(Unmanaged.passUnretained(self).toOpaque()) }

        /// libcurl has no memory, or its descriptors are broken: nothing would move any more.
        private func endAll(_ code: CURLMcode) {
            for handle in Array(running.values) {
                let why = String(cString: curl_multi_strerror(code))
                handle.transfer?.finish(.failure(ImageError(.io, stage: .load, "libcurl cannot go on: \(why).")))
                remove(handle)
            }
        }

        /// Signals are the program's; a peer that is gone is no reason to end it. Faults of this thread are reported as others are.
        private static func blockSignals() {
            var signals = sigset_t()
            sigfillset(&signals)
            for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&signals, fault) }
            pthread_sigmask(SIG_BLOCK, &signals, nil)
        }

        private func wait() {
            let now = Instant.now
            // libcurl's own timers shorten it.
            let patience = check == .never ? 60_000 : min(now.milliseconds(until: check), 60_000)
            gannet_curl_leave()
            let code = curl_multi_poll(multi, nil, 0, Int32(patience), nil)
            enter()
            if code != CURLM_OK { endAll(code) }
        }

        func noteProperEnd(of session: UnsafeRawPointer) { properEnds.insert(session) }

        func hasEndedProperly(_ session: UnsafeRawPointer) -> Bool { properEnds.contains(session) }

        func touch(_ handle: CURLHandle) { touched.append(handle) }

        private func carryOut(_ command: CURLLoop.Command) {
            switch command {
            case .start(let transfer): start(transfer)
            case .resume(let transfer):
                guard let handle = running[ObjectIdentifier(transfer)] else { return }
                let code = handle.resume()
                if code != CURLE_OK {
                    handle.finish(code)
                    remove(handle)
                }
            case .stop(let transfer): if let handle = running[ObjectIdentifier(transfer)] { remove(handle) }
            }
        }

        private func start(_ transfer: CURLTransfer, isAgain: Bool = false) {
            guard !transfer.isOver else { return }
            do throws(ImageError) {
                guard let handle = idle.popLast() ?? CURLHandle(on: self) else { throw CURLFailure.noMemory }
                try handle.prepare(transfer, isAgain: isAgain)
                guard curl_multi_add_handle(multi, handle.pointer) == CURLM_OK else { throw CURLFailure.noMemory }
                running[ObjectIdentifier(transfer)] = handle
                watch(handle)
            } catch {
                transfer.finish(.failure(error))
                transfer.wake()
            }
        }

        /// Its next deadline may be earlier than before.
        func watch(_ handle: CURLHandle) { check = min(check, handle.deadline(now)) }

        private func remove(_ handle: CURLHandle) {
            curl_multi_remove_handle(multi, handle.pointer)
            if let transfer = handle.transfer { running[ObjectIdentifier(transfer)] = nil }
            // Its reader is woken in this turn.
            touched.removeAll { $0 === handle }
            handle.wakeReader()
            handle.transfer = nil
            if Self.keepsHandles, idle.count < Self.maximumIdle { idle.append(handle) }
        }

        private func finishTransfers() {
            var left: Int32 = 0
            while let message = curl_multi_info_read(multi, &left)?.pointee {
                guard message.msg == CURLMSG_DONE, let handle = CURLHandle.of(gannet_curl_context(message.easy_handle)) else {
                    continue
                }
                if let transfer = handle.transfer, handle.mayTryAgain(after: message.data.result) {
                    remove(handle)
                    start(transfer, isAgain: true)
                } else {
                    handle.finish(message.data.result)
                    remove(handle)
                }
            }
        }

        private func judgeDeadlines() {
            guard now >= check else { return }
            check = .never
            for handle in Array(running.values) {
                if handle.expire(now) { remove(handle) } else { watch(handle) }
            }
        }
    }
#endif
