#if HTTP
    import CCurl
    import CGannetCURL
    import GannetCore
    import Glibc

    /// Owns one easy handle of libcurl, which sends one request after another. Confined to the thread of its ``CURLThread``.
    final class CURLHandle {
        let pointer: UnsafeMutableRawPointer
        /// libcurl writes its messages here until the handle is gone.
        private let errors: UnsafeMutablePointer<CChar>
        private unowned let thread: CURLThread

        /// The one that runs.
        var transfer: CURLTransfer? { didSet { if transfer == nil { upload = nil } } }
        private var head = CURLHead()
        /// Why a callback ended the transfer.
        private var failure: ImageError?
        /// The address policy refused an address.
        private var refusal: ImageError?
        /// It allowed another one.
        private var isDialled = false
        private var isConnected = false
        /// When the first or the second attempt began: each has the time for a connection.
        private var attempt = Instant.now
        /// Bytes were waiting on the kept connection before the request was sent.
        private var isSpoilt = false
        private var lastActivity = Instant.now
        /// When the reader gets what is there, even if it waits for more.
        private var nextPiece = Instant.now
        private var hasTriedAgain = false
        private var isTouched = false
        private var upload: [UInt8]?
        private var uploaded = 0
        /// Bytes of the response's body.
        private var received = 0
        /// The body is whole, and libcurl does not know it.
        private(set) var isWhole = false
        /// The session of TLS whose end is the end of the body.
        private var session: UnsafeRawPointer?
        /// Lists of fields, which libcurl reads and does not copy; kept while requests have the same ones.
        private var fields = CURLFields()
        private var proxyFields: CURLFields?

        /// A reader that waits for many bytes gets those that are there after this time, and may find that they come too slowly.
        private static let longestWait = Duration.seconds(1)

        /// False: this machine's libcurl cannot be used. Once in a process.
        static let hasStarted: Bool = {
            var calls = gannet_curl_calls(
                line: { CURLHandle.of($3)?.takeLine(UnsafeRawBufferPointer(start: $0, count: $2)) ?? 0 },
                body: { CURLHandle.of($3)?.takeBody(UnsafeRawBufferPointer(start: $0, count: $2)) ?? 0 },
                upload: { CURLHandle.of($3)?.giveBody(UnsafeMutableRawBufferPointer(start: $0, count: $2)) ?? 0 },
                rewind: { CURLHandle.of($0)?.uploaded = $1 },
                mayAsk: { context, address, port, ownPort in
                    guard let handle = CURLHandle.of(context), let address else { return false }
                    return handle.mayAsk(
                        over: CURLSockets.Place(address: String(cString: address), port: port, ownPort: ownPort))
                },
                closed: { context, socket in
                    guard let context else { return }
                    Unmanaged<CURLThread>.fromOpaque(context).takeUnretainedValue().sockets.close(socket)
                },
                open: { context, address, target in
                    guard let handle = CURLHandle.of(context), let address, let target else { return -1 }
                    return handle.connect(to: address, target)
                },
                closedProperly: { thread, session in
                    guard let thread, let session else { return }
                    Unmanaged<CURLThread>.fromOpaque(thread).takeUnretainedValue().noteProperEnd(of: session)
                })
            return gannet_curl_start(&calls)
        }()

        static func of(_ context: UnsafeMutableRawPointer?) -> CURLHandle? {
            context.map { Unmanaged<CURLHandle>.fromOpaque($0).takeUnretainedValue() }
        }

        /// Nil: no memory.
        init?(on thread: CURLThread) {
            self.thread = thread
            let errors = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
            errors.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
            self.errors = errors
            guard let pointer = curl_easy_init() else {
                errors.deallocate()
                return nil
            }
            self.pointer = pointer
            gannet_curl_set_up(
                pointer, Unmanaged.passUnretained(self).toOpaque(), Unmanaged.passUnretained(thread).toOpaque(), errors)
        }

        deinit {
            curl_easy_cleanup(pointer)
            errors.deallocate()
        }

        // MARK: The request

        /// Throws if libcurl cannot send the request as it has to be sent.
        ///
        /// - Parameter isAgain: true for a retry of the same request, over a new connection.
        func prepare(_ transfer: CURLTransfer, isAgain: Bool) throws(ImageError) {
            self.transfer = transfer
            hasTriedAgain = isAgain
            let request = transfer.request
            // Methods that create something send their length, also of an empty body (RFC 9110 §8.6).
            upload = request.body ?? (["POST", "PUT", "PATCH"].contains(request.method) ? [] : nil)
            if !fields.isOf(request.headers) { fields = CURLFields(request.headers) }
            gannet_curl_request(pointer, request.method, fields.list, upload.map { curl_off_t($0.count) } ?? -1)
            attempt = isAgain ? .now : transfer.began
            try aim(transfer, isFresh: isAgain || !transfer.target.isRepeatable(request.method))
        }

        private func aim(_ transfer: CURLTransfer, isFresh: Bool) throws(ImageError) {
            (head, failure, refusal, uploaded, received) = (CURLHead(), nil, nil, 0, 0)
            (isDialled, isConnected, isSpoilt, isWhole, session) = (false, false, false, false, nil)
            nextPiece = .now + Self.longestWait
            errors[0] = 0
            let (target, deadlines) = (transfer.target, transfer.request.deadlines)
            let left = Instant.now.milliseconds(until: attempt + deadlines.connect)
            let connection = gannet_curl_connection(
                connect_milliseconds: Int(max(left, 1)), idle_seconds: Self.seconds(thread.options.keepsIdleConnections),
                names_seconds: Self.seconds(thread.options.keepsNames),
                version: target.httpVersion(thread.options, hasBody: upload != nil),
                trusts_anyone: transfer.request.trustsAnyCertificate, is_fresh: isFresh)
            var code = gannet_curl_connect(
                pointer, target.text, target.requestTarget, connection, target.pinnedKeys, thread.roots.path)
            let proxy = target.proxy
            proxyFields = proxy?.fields.map { CURLFields($0) }
            if code == CURLE_OK {
                code = gannet_curl_proxy(pointer, proxy?.address ?? "", proxy?.user, proxy?.password, proxyFields?.list)
            }
            guard code != CURLE_OUT_OF_MEMORY, fields.isWhole, proxyFields?.isWhole != false else { throw CURLFailure.noMemory }
            if code != CURLE_OK { throw explained(code) }
        }

        /// Whole ones, rounded up; more than 60 years count as so many.
        private static func seconds(_ duration: Duration) -> Int {
            Int(min(max(duration.wholeMilliseconds, 0), 2_000_000_000_000) + 999) / 1000
        }

        // MARK: Calls of libcurl

        private func takeLine(_ line: UnsafeRawBufferPointer) -> Int {
            touch()
            let wasFinal = head.isFinal
            do throws(ImageError) { try head.take(line) } catch {
                failure = error
                return 0
            }
            if head.isFinal, !wasFinal, let transfer {
                if head.isAmbiguous { gannet_curl_forget_connection(pointer) }
                isWhole = head.endsAtLength && head.length == 0
                if head.isUnframed, transfer.target.isSecure { session = gannet_curl_session(pointer) }
                transfer.begin(
                    HTTPResponseHead(
                        status: head.status, headers: HTTPHeaders(fields: head.fields), url: transfer.request.url,
                        version: head.version), times, length: head.length)
            }
            return line.count
        }

        private var times: ConnectionTimes {
            var result = ConnectionTimes()
            guard gannet_curl_connections(pointer) > 0 else { return result }
            let times = gannet_curl_times(pointer)
            result.name = UInt32(clamping: times.name)
            result.connect = UInt32(clamping: times.connect - times.name)
            result.tls = UInt32(clamping: times.tls - times.connect)
            return result
        }

        private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
            touch()
            guard let transfer else { return 0 }
            guard head.endsAtLength, let length = head.length else {
                guard transfer.append(bytes) else { return holdBack() }
                received += bytes.count
                return bytes.count
            }
            let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(length - received))
            guard transfer.append(part) else { return holdBack() }
            received += part.count
            isWhole = received == length
            return bytes.count
        }

        /// The reader has enough for now.
        private func holdBack() -> Int {
            if CURLTransfer.canPause(head.version) { return Int(CURL_WRITEFUNC_PAUSE) }
            failure = ImageError(
                .limitExceeded, stage: .load,
                "The reader did not keep up with the server, and this machine's libcurl (before 8.4, or 8.16) cannot hold back one response of HTTP/2. Allow HTTP/1.1 only."
            )
            return 0
        }

        /// The system takes a part of the request's body: during a long upload, silence is not the server's.
        private func giveBody(_ room: UnsafeMutableRawBufferPointer) -> Int {
            lastActivity = thread.now
            guard let upload else { return 0 }
            let piece = upload[uploaded..<min(uploaded + room.count, upload.count)]
            room.copyBytes(from: piece)
            uploaded += piece.count
            return piece.count
        }

        /// There is a connection, and the request would go out now.
        private func mayAsk(over place: @autoclosure () -> CURLSockets.Place) -> Bool {
            isConnected = true
            lastActivity = thread.now
            thread.watch(self)
            guard let transfer, !transfer.target.isEncrypted else { return true }
            isSpoilt = !thread.sockets.isClean(place(), isNew: gannet_curl_connections(pointer) > 0)
            return !isSpoilt
        }

        /// The new socket for this address, or -1.
        private func connect(to address: UnsafePointer<curl_sockaddr>, _ target: UnsafePointer<sockaddr>) -> Int32 {
            if let transfer, let policy = thread.options.addressPolicy, transfer.target.proxy == nil {
                guard let checked = HostAddress(target) else { return -1 }
                if let error = policy.refusalError(of: checked, host: transfer.target.host) {
                    if refusal == nil { refusal = error }
                    return -1
                }
            }
            isDialled = true
            return thread.sockets.open(address, patience: max(.seconds(10), transfer?.request.deadlines.connect ?? .zero))
        }

        private func touch() {
            lastActivity = thread.now
            guard !isTouched else { return }
            isTouched = true
            thread.touch(self)
        }

        func wakeReader() {
            isTouched = false
            transfer?.wake()
        }

        /// Continues a paused transfer once the reader has taken the buffered bytes. libcurl delivers its own buffer within the
        /// call, which may end the transfer.
        func resume() -> CURLcode {
            lastActivity = thread.now
            return curl_easy_pause(pointer, CURLPAUSE_CONT)
        }

        // MARK: The end

        /// A kept connection ended before the first byte of the answer. The server may have got the request: safe only for GET
        /// and HEAD (RFC 9112 §9.3.1).
        func mayTryAgain(after code: CURLcode) -> Bool {
            guard !hasTriedAgain, !head.hasBegun, failure == nil, let transfer, !transfer.isOver else { return false }
            // Nothing was sent.
            if isSpoilt { return true }
            // HTTP/2 ends also with a GOAWAY that came before the request.
            guard ["GET", "HEAD"].contains(transfer.request.method), transfer.request.body == nil,
                code == CURLE_HTTP2 || gannet_curl_connections(pointer) == 0
            else { return false }
            return [
                CURLE_OK, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_HTTP2,
                CURLE_HTTP2_STREAM,
            ].contains(code)
        }

        func finish(_ code: CURLcode) {
            transfer?.finish(code == CURLE_OK && failure == nil ? whole() : .failure(failure ?? refused ?? explained(code)))
        }

        /// libcurl does not look at a length beside a `Transfer-Encoding`, and takes half a head for one.
        private func whole() -> Result<Void, ImageError> {
            let isBodiless = transfer?.request.method == "HEAD" || [204, 304].contains(head.status)
            guard head.isFinal, isBodiless || received >= head.length ?? 0 else {
                return .failure(ImageError(.network, stage: .load, "The connection ended before the answer was whole."))
            }
            // Up to 8.0, libcurl does not check whether TLS was closed properly or cut off (RFC 9112 §9.8).
            if !isBodiless, let session, !thread.hasEndedProperly(session) { return .failure(CURLFailure.improperEnd) }
            return .success(())
        }

        /// Nothing was dialled.
        private var refused: ImageError? { isConnected || isDialled ? nil : refusal }

        private func explained(_ code: CURLcode) -> ImageError {
            var facts = CURLFailure(code: code, text: String(cString: errors), host: transfer?.target.host ?? "")
            facts.connectStatus = gannet_curl_connect_status(pointer)
            facts.certificateFault = gannet_curl_certificate_fault(pointer)
            facts.isInHead = !head.isFinal
            facts.connectTime = transfer?.request.deadlines.connect ?? .zero
            let error = facts.error
            return transfer?.target.explained(error) ?? error
        }

        /// When the next deadline passes.
        func deadline(_ now: Instant) -> Instant {
            guard let transfer else { return .never }
            return min(transfer.began + transfer.request.deadlines.total, patience(now, transfer), nextPiece)
        }

        /// Until when there has to be a connection, or a next byte. While the reader is slow, silence is not the server's.
        private func patience(_ now: Instant, _ transfer: CURLTransfer) -> Instant {
            let deadlines = transfer.request.deadlines
            guard isConnected else { return attempt + deadlines.connect }
            return (transfer.isPaused ? now : lastActivity) + deadlines.idle
        }

        /// Tenths are enough for the part of a load's time that redirects have left.
        private static func shown(_ duration: Duration) -> Double {
            duration < .seconds(1) ? duration.seconds : (duration.seconds * 10).rounded() / 10
        }

        /// Ends the transfer if a deadline has passed, and returns whether it did.
        func expire(_ now: Instant) -> Bool {
            guard let transfer else { return false }
            if nextPiece <= now {
                transfer.handOver()
                nextPiece = now + Self.longestWait
            }
            guard deadline(now) <= now else { return false }
            // Over HTTP/2 it would be kept, and may be dead.
            if isConnected { gannet_curl_forget_connection(pointer) }
            let deadlines = transfer.request.deadlines
            let message =
                if patience(now, transfer) > now {
                    "The transfer did not end within the \(Self.shown(deadlines.total)) s that it had."
                } else if isConnected {
                    "The server sent nothing for \(deadlines.idle.seconds) s."
                } else {
                    "No connection within \(deadlines.connect.seconds) s."
                }
            let error = ImageError(.timedOut, stage: .load, message)
            transfer.finish(.failure(isConnected ? error : transfer.target.explained(error)))
            return true
        }
    }
#endif
