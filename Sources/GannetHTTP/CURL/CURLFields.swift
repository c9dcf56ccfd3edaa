#if HTTP
    import CCurl
    import CGannetCURL
    import FoundationEssentials
    import GannetCore
    import Glibc

    /// Owns the fields of a request as libcurl takes them.
    final class CURLFields {
        private let headers: HTTPHeaders?
        /// Freed with this object.
        let list: UnsafeMutablePointer<curl_slist>?
        /// False: there was no memory for all of them.
        let isWhole: Bool

        init() { (headers, list, isWhole) = (nil, nil, true) }

        /// - Parameter headers: checked by ``GannetCore/HTTPRequest/check()``, or those of a proxy.
        init(_ headers: HTTPHeaders) {
            self.headers = headers
            var list: UnsafeMutablePointer<curl_slist>?
            var isWhole = true
            func append(_ line: String) {
                let longer = curl_slist_append(list, line)
                if longer == nil { isWhole = false }
                list = longer ?? list
            }
            for field in headers.fields {
                append(field.value.isEmpty ? field.name + ";" : field.name + ": " + field.value)
            }
            // A name and nothing keeps libcurl from adding its own.
            for name in ["Accept", "Expect"] where !headers.contains(name) { append(name + ":") }
            (self.list, self.isWhole) = (list, isWhole)
        }

        func isOf(_ headers: HTTPHeaders) -> Bool { isWhole && self.headers == headers }

        deinit { curl_slist_free_all(list) }
    }

    /// Owns the file of certificates that are trusted: the system's, or one in memory with these and more.
    final class CURLRoots: Sendable {
        /// Nil: the certificates that libcurl trusts by default.
        let path: String?
        private let descriptor: Int32?

        /// Throws `tlsFailed` if a file cannot be read or has no certificate, and `io` if the system has no room.
        init(additional files: [String]) throws(ImageError) {
            let system = gannet_curl_root_file().map { String(cString: $0) }
            guard !files.isEmpty else {
                (path, descriptor) = (system, nil)
                return
            }
            var text: [UInt8] = []
            for file in files {
                do { text += try Data(contentsOf: URL(filePath: file)) + [UInt8(ascii: "\n")] } catch {
                    throw ImageError(error, code: .tlsFailed, stage: .load, "An additional trust root cannot be read.")
                }
            }
            guard text.contains("-----BEGIN CERTIFICATE-----".utf8) else {
                throw ImageError(.tlsFailed, stage: .load, "An additional trust root is no certificate in PEM.")
            }
            // A system without certificates trusts the additional ones alone.
            if let system, let known = try? Data(contentsOf: URL(filePath: system)) { text += known }
            let descriptor = gannet_curl_memory_file(text, text.count)
            guard descriptor >= 0 else {
                throw ImageError(.io, stage: .load, "There is no room for a file of trusted certificates in memory.")
            }
            (path, self.descriptor) = ("/proc/self/fd/\(descriptor)", descriptor)
        }

        deinit { if let descriptor { close(descriptor) } }
    }

    extension HTTPHeaders.Field {
        /// Its name is a token, and its value has no line end (RFC 9110 §5.5): it cannot become two fields.
        var isAllowed: Bool {
            CURLHead.isToken(name) && !value.utf8.contains { $0 == 0 || $0 == 10 || $0 == 13 }
        }
    }

    extension GannetCore.HTTPRequest {
        /// Throws `misuse` for what would change the request on the wire: a method or a field's name that is no token (RFC 9110
        /// §5.6.2), a line end in a field, another length than the body's, or an invalid host or port.
        func check() throws(ImageError) {
            if let fault = url.authorityFault { throw Self.misuse("\(fault)") }
            guard CURLHead.isToken(method) else { throw Self.misuse("its method is no word of HTTP, as GET is one") }
            guard headers.fields.allSatisfy(\.isAllowed) else {
                throw Self.misuse("one of its fields has a name or a value that HTTP does not allow")
            }
            guard !headers.contains("Transfer-Encoding"),
                headers.fields.allSatisfy({
                    !HTTPHeaders.equal($0.name, "Content-Length") || $0.value == String(body?.count ?? 0)
                })
            else { throw Self.misuse("one of its fields says another length than its body has") }
            if method == "HEAD", body?.isEmpty == false { throw Self.misuse("a HEAD with a body means nothing to servers") }
        }

        static func misuse(_ why: String) -> ImageError {
            ImageError(.misuse, stage: .load, "The request cannot be sent: \(why).")
        }
    }
#endif
