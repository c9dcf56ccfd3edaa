#if HTTP
    import AsyncHTTPClient
    import GannetCore
    import Glibc
    import NIOCore
    import NIOHTTP1
    import NIOHTTP2
    import NIOPosix
    import NIOSSL

    /// Translates errors of the client into ``ImageError``.
    enum WireErrors {
        static func translate(_ error: any Error) -> ImageError {
            switch error {
            case let error as ImageError: error
            case is WireGuards.ClosedWhileKept:
                make(.network, "The server closed the kept connection instead of answering.", error)
            case is WireGuards.Unprocessed:
                make(.network, "The server refuses the request without having looked at it.", error)
            case let error as NIOHTTP2Errors.StreamClosed:
                make(.network, "The server ended the transfer: \(error.errorCode).", error)
            case is CancellationError: .cancelled(stage: .load)
            case let error as HTTPClientError: client(error)
            case let error as NIOConnectionError: connection(error)
            case let error as SocketAddressError:
                make(.hostNotFound, "The host name cannot be resolved.", error)
            case let error as HTTPParserError:
                error == .invalidEOFState
                    ? make(.network, "The connection ended before the answer was whole.", error)
                    : make(.protocolViolation, "The server's answer breaks the rules of HTTP/1: \(error).", error)
            case NIOSSLError.uncleanShutdown:
                make(.network, "The TLS connection ended without a proper end: the answer may be cut short.", error)
            case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
                make(.tlsFailed, "No secure connection: \(reason(ofTLS: error)).", error)
            case let error as ChannelError: channel(error)
            case let error as IOError:
                [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EADDRNOTAVAIL].contains(error.errnoCode)
                    ? make(.connectionFailed, "The server cannot be reached: \(reason(error)).", error)
                    : make(.network, "The connection broke: \(reason(error)).", error)
            default: unknown(error)
            }
        }

        /// The system's words alone, without NIO's function names.
        private static func reason(_ error: IOError) -> String { String(cString: strerror(error.errnoCode)) }

        /// The reason of a TLS failure. BoringSSL's text has paths of its build, and does not say which certificate check
        /// failed. NIO compares host names afterwards, and reports that separately.
        private static func reason(ofTLS error: any Error) -> String {
            if let error = error as? NIOSSLExtraError {
                return error == .failedToValidateHostname
                    ? "the server's certificate is for another host" : "the host's name cannot be in a certificate"
            }
            let text = "\(error)"
            func isSaid(_ words: String...) -> Bool { words.contains { text.contains($0) } }
            if isSaid("CERTIFICATE_VERIFY_FAILED") {
                return
                    "the server's certificate is not valid: it is expired or not valid yet, signed by itself, or by an authority that is not trusted here"
            }
            if isSaid("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST") {
                return "the server does not speak TLS on this port"
            }
            if isSaid("EOF during") {
                return "the server hung up before the secure connection was made; perhaps it speaks no TLS on this port"
            }
            if isSaid("UNSUPPORTED_PROTOCOL", "PROTOCOL_VERSION") {
                return "the server speaks only versions of TLS that are too old"
            }
            if isSaid("CERTIFICATE_REQUIRED", "BAD_CERTIFICATE") { return "the server wants a certificate of the client" }
            if isSaid("HANDSHAKE_FAILURE", "NO_SHARED_CIPHER", "INSUFFICIENT_SECURITY") {
                return "server and client have no way of encryption in common"
            }
            // Keep only the words of texts like `…:OPENSSL_internal:BAD_RECORD at /path:1`.
            if let start = text.firstRange(of: "OPENSSL_internal:")?.upperBound {
                let words = text[start...].prefix { $0 == "_" || ($0.isASCII && ($0.isUppercase || $0.isNumber)) }
                if !words.isEmpty { return "TLS says \(words.lowercased().map { $0 == "_" ? " " : String($0) }.joined())" }
            }
            return "the handshake failed"
        }

        private static func client(_ error: HTTPClientError) -> ImageError {
            switch error {
            case .connectTimeout, .tlsHandshakeTimeout, .readTimeout, .writeTimeout, .deadlineExceeded,
                .getConnectionFromPoolTimeout:
                make(.timedOut, "The server took too long: \(error.shortDescription).", error)
            case .cancelled, .requestStreamCancelled: .cancelled(stage: .load)
            case .remoteConnectionClosed, .uncleanShutdown:
                make(.network, "The server closed the connection before the answer was whole.", error)
            case .proxyAuthenticationRequired:
                ImageError(
                    .httpStatus, stage: .load,
                    "The proxy wants to know who asks (407). Give the transport's proxy a credential, or another one.",
                    underlying: error, httpStatus: 407)
            case .httpProxyHandshakeTimeout, .socksHandshakeTimeout: make(.timedOut, "The proxy took too long to answer.", error)
            case .invalidProxyResponse:
                make(.connectionFailed, "The proxy makes no connection: \(error.shortDescription).", error)
            case .invalidURL, .emptyHost, .emptyScheme, .traceRequestWithBody, .alreadyShutdown:
                make(.misuse, "The request cannot be sent: \(error.shortDescription).", error)
            default:
                if "\(error)".contains("invalidHeaderField") || "\(error)".contains("unsupportedScheme") {
                    make(.misuse, "The request cannot be sent: \(error.shortDescription).", error)
                } else {
                    make(.protocolViolation, "The exchange broke the rules of HTTP: \(error.shortDescription).", error)
                }
            }
        }

        private static func connection(_ error: NIOConnectionError) -> ImageError {
            if error.connectionErrors.isEmpty, error.dnsAError != nil || error.dnsAAAAError != nil {
                return make(.hostNotFound, "The host name \(error.host) cannot be resolved.", error)
            }
            if error.connectionErrors.contains(where: { if case ChannelError.connectTimeout = $0.error { true } else { false } })
            {
                return make(.timedOut, "\(error.host):\(error.port) does not answer.", error)
            }
            return make(.connectionFailed, "\(error.host):\(error.port) refuses connections or cannot be reached.", error)
        }

        private static func channel(_ error: ChannelError) -> ImageError {
            if case .connectTimeout = error { return make(.timedOut, "The server does not answer.", error) }
            return make(.network, "The connection ended: \(error).", error)
        }

        /// HTTP/2 errors share no public type, and SOCKS errors are in a module that is not visible here.
        private static func unknown(_ error: any Error) -> ImageError {
            let type = String(reflecting: Swift.type(of: error))
            if type.hasPrefix("NIOHTTP2.") {
                if type.contains("StreamError") || type.contains("ConnectionError") {
                    return make(.network, "The server ended the HTTP/2 stream: \(error).", error)
                }
                return make(.protocolViolation, "The server's answer breaks the rules of HTTP/2: \(error).", error)
            }
            if type.hasPrefix("NIOSOCKS.") {
                return make(.connectionFailed, "The SOCKS proxy makes no connection: \(error).", error)
            }
            return make(.network, "The transfer failed: \(error).", error)
        }

        private static func make(_ code: ImageError.Code, _ message: String, _ error: any Error) -> ImageError {
            ImageError(code, stage: .load, message, underlying: error)
        }
    }
#endif
