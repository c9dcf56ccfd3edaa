#if HTTP
    import CCurl
    import FoundationEssentials
    import GannetCore

    /// Owns the fields of a request as libcurl takes them.
    final class CURLFields {
        private let headers: HTTPHeaders?
        let list: UnsafeMutablePointer<curl_slist>?

        init() { (headers, list) = (nil, nil) }

        /// - Parameter headers: checked by ``GannetCore/HTTPRequest/check()``.
        init(_ headers: HTTPHeaders) {
            self.headers = headers
            var list: UnsafeMutablePointer<curl_slist>?
            func append(_ line: String) { list = curl_slist_append(list, line) ?? list }
            for field in headers.fields {
                append(field.value.isEmpty ? field.name + ";" : field.name + ": " + field.value)
            }
            // A name and nothing keeps libcurl from adding its own.
            for name in ["Accept", "Expect"] where !headers.contains(name) { append(name + ":") }
            self.list = list
        }

        func isOf(_ headers: HTTPHeaders) -> Bool { self.headers == headers }

        deinit { curl_slist_free_all(list) }
    }

    /// Owns certificates in PEM that are trusted beside the system's.
    final class CURLRoots: Sendable {
        /// Allocated here, never changed, and freed with the last reader.
        nonisolated(unsafe) let bytes: UnsafeRawBufferPointer

        /// Nil without files. Throws `tlsFailed` if one cannot be read or has no certificate.
        init?(_ files: [String]) throws(ImageError) {
            if files.isEmpty { return nil }
            var text: [UInt8] = []
            for file in files {
                do { text += try Data(contentsOf: URL(filePath: file)) + [UInt8(ascii: "\n")] } catch {
                    throw ImageError(error, code: .tlsFailed, stage: .load, "An additional trust root cannot be read.")
                }
            }
            guard text.contains("-----BEGIN CERTIFICATE-----".utf8) else {
                throw ImageError(.tlsFailed, stage: .load, "An additional trust root is no certificate in PEM.")
            }
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
            copy.copyBytes(from: text)
            bytes = UnsafeRawBufferPointer(copy)
        }

        deinit { bytes.deallocate() }
    }

    extension GannetCore.HTTPRequest {
        /// Throws `misuse` for what would change the request on the wire: a method or a field's name that is no token (RFC 9110
        /// §5.6.2), a line end in a field, or an invalid host or port.
        func check() throws(ImageError) {
            if let fault = url.authorityFault { throw Self.misuse("\(fault)") }
            func isToken(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy { CURLHead.isOfToken[Int($0)] } }
            guard isToken(method) else { throw Self.misuse("its method is no word of HTTP, as GET is one") }
            for field in headers.fields {
                guard isToken(field.name), !field.value.utf8.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) else {
                    throw Self.misuse("one of its fields has a name or a value that HTTP does not allow")
                }
            }
        }

        static func misuse(_ why: String) -> ImageError {
            ImageError(.misuse, stage: .load, "The request cannot be sent: \(why).")
        }
    }
#endif
