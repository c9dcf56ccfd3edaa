#if CommandLine && HTTP && JPEG
    import GannetCore
    import GannetImages
    import GannetTesting

    /// A server on 127.0.0.1 that has the same small JPEG under every path, and confirms it to those that have it.
    struct MapSource {
        private let server: RawServer

        /// Not fresh: to be asked again each time.
        init(_ coders: CodersManager, isFresh: Bool) throws(ImageError) {
            let bitmap = try TestImages.gradient(width: 96, height: 64)
            let image = DecodedImage.still(bitmap, ImageMetadata(format: nil, originalSize: bitmap.size))
            let body = try ImageEncoding(coders: coders).encode(image, options: EncodeOptions(format: .jpeg)).bytes.contiguous()
            let fields = "Cache-Control: max-age=\(isFresh ? 3600 : 0)\r\nETag: \"1\"\r\n"
            let server = RawServer.start { connection in
                while let head = connection.readHead() {
                    let isKnown = head.lowercased().contains("\r\nif-none-match:")
                    let sent =
                        isKnown
                        ? connection.write("HTTP/1.1 304 Not Modified\r\n\(fields)\r\n")
                        : connection.write(
                            "HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: \(body.count)\r\n\(fields)\r\n")
                            && connection.write(body)
                    guard sent else { return }
                }
            }
            guard let server else { throw ImageError(.io, stage: .load, "No server can listen on 127.0.0.1.") }
            self.server = server
        }

        func url(_ number: Int) -> String { server.url("/\(number).jpg") }
    }
#endif
