#if HTTP
    import CCurl
    import GannetCore

    /// The failure of a transfer as libcurl reports it.
    struct CURLFailure: Error, CustomStringConvertible {
        var code: CURLcode
        /// In libcurl's words, which change from version to version.
        var text: String
        var host: String
        /// The status of a proxy's response to CONNECT; 0: none.
        var connectStatus = 0
        /// `X509_V_ERR_…` of OpenSSL.
        var certificateFault = 0
        var isInHead = false
        var connectTime = Duration.zero

        var description: String { text.isEmpty ? String(cString: curl_easy_strerror(code)) : text }

        /// The typed error, in our words.
        var error: ImageError {
            if connectStatus == 407 { return Self.proxyRefusal(self) }
            return switch code {
            case CURLE_COULDNT_RESOLVE_HOST: make(.hostNotFound, "The host name \(host) cannot be resolved.")
            case CURLE_COULDNT_RESOLVE_PROXY: make(.hostNotFound, "The host name of the proxy cannot be resolved.")
            case CURLE_COULDNT_CONNECT:
                make(.connectionFailed, "\(host) refuses connections or cannot be reached.")
            case CURLE_PROXY: make(.connectionFailed, "The proxy makes no connection.")
            case CURLE_OPERATION_TIMEDOUT: make(.timedOut, "No connection within \(connectTime.seconds) s.")
            case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
                CURLE_SSL_CACERT_BADFILE,
                CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
                CURLE_SSL_CLIENTCERT, CURLE_SSL_ENGINE_INITFAILED:
                make(.tlsFailed, "No secure connection: \(tlsReason).")
            case CURLE_GOT_NOTHING: make(.network, "The server closed the connection instead of answering.")
            case CURLE_PARTIAL_FILE: make(.network, "The connection ended before the answer was whole.")
            case CURLE_HTTP2_STREAM: make(isReset ? .network : .protocolViolation, "The server ended the transfer.")
            case CURLE_HTTP2, CURLE_HTTP3, CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING,
                Self.tooLarge:
                make(.protocolViolation, "The server's answer breaks the rules of HTTP.")
            case CURLE_BAD_FUNCTION_ARGUMENT where isInHead: CURLHead.foldedFirst
            // libcurl's own parser of chunks does not like what it finds.
            case CURLE_BAD_FUNCTION_ARGUMENT:
                make(.protocolViolation, "The server's answer breaks the rules of HTTP: bad chunks.")
            case CURLE_NOT_BUILT_IN, CURLE_UNKNOWN_OPTION:
                make(.unsupported, "This machine's libcurl cannot do what the transport's options ask for.")
            case CURLE_OUT_OF_MEMORY where isInHead:
                make(.protocolViolation, "The server's answer breaks the rules of HTTP: a field without end.")
            case CURLE_URL_MALFORMAT: make(.hostNotFound, "No host has the name that the URL gives.")
            case CURLE_SEND_ERROR, CURLE_RECV_ERROR: broken
            default: make(.network, "The transfer failed (\(code.rawValue) of libcurl).")
            }
        }

        static let noMemory = ImageError(.io, stage: .load, "A transfer could not be started: no memory.")

        static let improperEnd = ImageError(
            .network, stage: .load, "The TLS connection ended without a proper end: the answer may be cut short.")

        /// `CURLE_TOO_LARGE`, which libcurl has since 8.6.
        private static let tooLarge = CURLcode(rawValue: 100)

        /// libcurl has one code for connections that broke, for proxies that refuse, and for chunks that are none.
        private var broken: ImageError {
            if connectStatus >= 300 { return make(.connectionFailed, "The proxy makes no connection (\(connectStatus)).") }
            if says("chunk") { return make(.protocolViolation, "The server's answer breaks the rules of HTTP: bad chunks.") }
            if says("unexpected eof", "close_notify", "properly terminated") { return Self.improperEnd }
            return make(.network, "The connection broke.")
        }

        /// True if the server reset the stream, rather than libcurl because of invalid frames.
        private var isReset: Bool { !says("PROTOCOL_ERROR", "FLOW_CONTROL", "FRAME_SIZE", "COMPRESSION_ERROR") }

        private func says(_ words: String...) -> Bool {
            let text = text.lowercased()
            return words.contains { text.contains($0.lowercased()) }
        }

        private var tlsReason: String {
            if code == CURLE_SSL_PINNEDPUBKEYNOTMATCH { return "the server's public key is none of the pinned ones" }
            switch certificateFault {
            case 9: return "the server's certificate is not valid yet"
            case 10: return "the server's certificate has expired"
            case 18, 19: return "the server's certificate is signed by itself, or by an authority that is"
            case 2, 20, 21, 27: return "the server's certificate is signed by an authority that is not trusted here"
            case 23: return "the server's certificate was revoked"
            case 62, 64: return "the server's certificate is for another host"
            // 1: unknown, as before the first check.
            case 0, 1: break
            default: return "the server's certificate is not valid"
            }
            if says("subject name", "does not match") { return "the server's certificate is for another host" }
            if says("wrong version number", "http request", "packet length", "record layer") {
                return "the server does not speak TLS on this port"
            }
            if says("eof", "syscall", "reset") {
                return "the server hung up before the secure connection was made; perhaps it speaks no TLS on this port"
            }
            if says("unsupported protocol", "protocol version") {
                return "the server speaks only versions of TLS that are too old"
            }
            if says("certificate required", "bad certificate") { return "the server wants a certificate of the client" }
            if says("handshake failure", "no shared cipher", "insufficient security") {
                return "server and client have no way of encryption in common"
            }
            return "the handshake failed"
        }

        static func proxyRefusal(_ cause: (any Error)?) -> ImageError {
            ImageError(
                .httpStatus, stage: .load,
                "The proxy wants to know who asks (407). Give the transport's proxy a credential, or another one.",
                underlying: cause, httpStatus: 407)
        }

        private func make(_ code: ImageError.Code, _ message: String) -> ImageError {
            ImageError(code, stage: .load, message, underlying: self)
        }
    }
#endif
