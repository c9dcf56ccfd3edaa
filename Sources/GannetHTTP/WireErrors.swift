#if HTTP
    import AsyncHTTPClient
    import GannetCore
    import Glibc
    import NIOCore
    import NIOHTTP1
    import NIOHTTP2
    import NIOPosix
    import NIOSSL

    /// Errors of the wire as ours.
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
                make(.tlsFailed, "No secure connection: \(error).", error)
            case let error as ChannelError: channel(error)
            case let error as IOError:
                [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EADDRNOTAVAIL].contains(error.errnoCode)
                    ? make(.connectionFailed, "The server cannot be reached: \(reason(error)).", error)
                    : make(.network, "The connection broke: \(reason(error)).", error)
            default: unknown(error)
            }
        }

        /// In the words of the system alone: NIO adds the names of its functions.
        private static func reason(_ error: IOError) -> String { String(cString: strerror(error.errnoCode)) }

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

        /// Those of HTTP/2 have nothing in common that is public, and those of SOCKS live in a module that this one does not see.
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
