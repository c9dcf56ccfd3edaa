import CGannetSandbox
import GannetCodecs
import GannetCore
import GannetImages
import Glibc

/// The only open descriptors of a worker.
enum WorkerDescriptor {
    static let socket = Int32(GANNET_SANDBOX_SOCKET)
    static let input = Int32(GANNET_SANDBOX_INPUT)
    static let output = Int32(GANNET_SANDBOX_OUTPUT)
}

/// The worker's loop: C calls it in a confined process, and it returns when the program closes the connection.
@_cdecl("gannet_sandbox_serve")
func serveRequests(_ level: UInt32) {
    var worker = WorkerSession()
    var request = [UInt8](repeating: 0, count: 64 << 10)
    while true {
        let count = recv(WorkerDescriptor.socket, &request, request.count, 0)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        guard let reply = worker.reply(to: Array(request[..<count])) else { continue }
        guard send(WorkerDescriptor.socket, reply, reply.count, Int32(MSG_NOSIGNAL)) == reply.count else { return }
    }
}

/// A document with text, and with another document and a GIF inside: drawn once, so that fonts are known and the libraries that read
/// embedded pictures are loaded, as far as they are not part of librsvg itself. Later they cannot be.
private let document = """
    <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="16" height="16"><text y="9">A</text>\
    <image width="8" height="8" xlink:href="data:image/svg+xml;base64,\
    PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSI4IiBoZWlnaHQ9IjgiPjxyZWN0IHdpZHRoPSI4IiBoZWlnaHQ9IjgiLz48L3N2Zz4="/>\
    <image width="1" height="1" xlink:href="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs="/>\
    <image width="1" height="1" xlink:href="data:image/webp;base64,UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="/>\
    </svg>
    """

@_cdecl("gannet_sandbox_prepare")
func prepareWorker(_ level: UInt32) {
    guard level == GANNET_SANDBOX_FONTS.rawValue else { return }
    #if SVG
        // A failure is ignored here: it returns with the first document, and is reported then.
        _ = try? ImageDecoding(coders: CodersManager([SVGCoder()])).decode(ByteRope(Array(document.utf8)))
    #endif
}
