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

@_cdecl("gannet_sandbox_load")
func loadPlugins() { LateLoading.loadPlugins() }

@_cdecl("gannet_sandbox_prepare")
func prepareWorker(_ level: UInt32) {
    if level == GANNET_SANDBOX_FONTS.rawValue { LateLoading.prepareDocuments() }
}
