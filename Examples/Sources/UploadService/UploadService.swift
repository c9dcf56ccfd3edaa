// Answers uploaded images with thumbnails:
//
//     swift run --package-path Examples UploadService
//     curl --data-binary @photo.jpg http://127.0.0.1:8080/ -o thumbnail.jpg

@main enum UploadService {
    static func main() async throws {
        let uploads = Uploads(manager: try Uploads.manager())
        print("Listening on http://127.0.0.1:8080/")
        try await Server(uploads: uploads).run(host: "127.0.0.1", port: 8080)
    }
}
