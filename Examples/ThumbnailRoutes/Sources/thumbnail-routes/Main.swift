import Gannet
import GannetHTTP
import GannetServer
import Hummingbird
import ThumbnailRoutes

/// `thumbnail-routes HOST`: a server with its own page, and with thumbnails of this host's images below /thumbnails.
@main
struct Main {
    static func main() async throws {
        let hosts = Array(CommandLine.arguments.dropFirst())
        // Connects to public addresses alone, whatever a name leads to.
        var options = StandardOptions()
        options.addressPolicy = AddressPolicy()
        var configuration = try ManagerConfiguration.standard(options)
        configuration.httpPolicy = ThumbnailService.policy(defaultLifetime: .seconds(3600))
        let service = ThumbnailService(
            ThumbnailService.Configuration(policy: SourcePolicy(hosts: hosts)),
            manager: ImageManager(configuration: configuration))

        let router = Router()
        router.get("/") { _, _ in "Thumbnails are below /thumbnails.\n" }
        ThumbnailRoutes(service, below: "/thumbnails").add(to: router)
        try await Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 8080))).runService()
    }
}
