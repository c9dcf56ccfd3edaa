import Adwaita
import GannetAdwaita

// A scrolled list of 1,000 images of a server: ADDRESS/0.jpg to ADDRESS/999.jpg.
//
//     swift run --package-path Adapters/GannetAdwaita ImageList http://127.0.0.1:8000
@main struct ImageList: App {
    let id = "org.gannet.ImageList"
    var app: AdwaitaApp!

    private let rows = (0..<1000).map { Row(id: $0) }

    var scene: Scene {
        Window(id: "main") { _ in
            ScrollView {
                List(rows, selection: nil) { row in
                    HStack {
                        GannetImage("\(address)/\(row.id).jpg") { phase in
                            if phase.isLoading { Spinner().spinning(true) }
                        }
                        .scaledToFill()
                        .frame(width: 240, height: 160)
                        .onDisappear(.release)
                        .retryButton("Try again")
                        .alternativeText("Image \(row.id)")
                        Text("Image \(row.id)").padding()
                    }
                }
            }
            .vexpand()
            .topToolbar { HeaderBar.empty() }
        }
        .title("1,000 images")
        .defaultSize(width: 480, height: 720)
    }

    struct Row: Identifiable { var id: Int }

    private var address: String { CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8000" }
}
