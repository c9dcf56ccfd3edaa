import Foundation
import Gannet
import GannetSwiftCrossUI
import GannetSwiftCrossUIGtk
import GtkBackend
import SwiftCrossUI

// A scrolled list of 1,000 images of a server: ADDRESS/0.jpg to ADDRESS/999.jpg.
//
//     swift run --package-path Adapters/GannetSwiftCrossUI ImageList http://127.0.0.1:8000
@main struct ImageList: App {
    typealias Backend = GtkBackend

    static let address = CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8000"

    var body: some Scene {
        WindowGroup("1,000 images") {
            ScrollView {
                ForEach(Array(0..<1000), id: \.self) { number in
                    // No text in a row: GtkBackend gives each one a style sheet of its own, and 1,000 of them take half a minute.
                    GannetImage("\(Self.address)/\(number).jpg") { phase in
                        switch phase {
                        case .empty: EmptyView()
                        case .loading(_, preview: nil): ProgressView()
                        case .loading(_, preview: .some(let image)), .image(let image): image.resizable()
                        case .failure(_, let retry): Button("Try again") { retry() }
                        }
                    }
                    .scaledToFill()
                    .frame(width: 440, height: 290)
                    .whenHidden(.release)
                    .followsScrolling()
                }
            }
        }
        .defaultSize(width: 480, height: 720)
    }
}
