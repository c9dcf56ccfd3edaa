#if Server
    package import GannetCore
    import NIOSSL
    import Synchronization

    /// The certificate of a server that speaks TLS, read from PEM files. It can be replaced while the server runs; connections that
    /// are open keep the one that they began with.
    package final class ServerCertificate: Sendable {
        private let chain: String
        private let key: String
        private let current: Mutex<NIOSSLContext>

        /// `chain`: the file of the server's certificate and those above it. `key`: the file of its private key, without a password.
        /// Throws `misuse` for files that cannot be read or do not belong together.
        package init(chain: String, key: String) throws(ImageError) {
            (self.chain, self.key) = (chain, key)
            current = Mutex(try Self.context(chain, key))
        }

        var context: NIOSSLContext { current.withLock { $0 } }

        /// Reads the files again. Where that fails, the present certificate stays.
        package func reload() throws(ImageError) {
            let context = try Self.context(chain, key)
            current.withLock { $0 = context }
        }

        /// Of TLS 1.2, authenticated encryption with forward secrecy alone; those of TLS 1.3 are. The client's processor chooses between AES
        /// and ChaCha20 by its order.
        private static let suites: [NIOTLSCipher] = [
            .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
            .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
            .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        ]

        private static func context(_ chain: String, _ key: String) throws(ImageError) -> NIOSSLContext {
            do {
                let certificates = try NIOSSLCertificate.fromPEMFile(chain)
                var configuration = TLSConfiguration.makeServerConfiguration(
                    certificateChain: certificates.map { .certificate($0) },
                    privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
                configuration.minimumTLSVersion = .tlsv12
                configuration.cipherSuiteValues = suites
                configuration.applicationProtocols = ["h2", "http/1.1"]
                return try NIOSSLContext(configuration: configuration)
            } catch {
                throw ImageError(
                    error, code: .misuse, stage: .resolve,
                    "\(chain) and \(key) are no certificate and private key in PEM that belong together.")
            }
        }
    }
#endif
