import Foundation
import Gannet
import GannetSwiftCrossUI
import GannetSwiftCrossUIGtk
import SwiftCrossUI

// The calls of the table on the page about adapters, compiled.

@MainActor func aSourceImage(url: URL) -> GannetImage<GannetImageContent> {
    GannetImage(url)
}

@MainActor func theCallsOfTheTable(url: URL, manager: ImageManager) -> some View {
    aSourceImage(url: url)
        .scaledToFill()
        .scaledToFit()
        .frame(width: 320, height: 240)
        .priority(.high)
        .cancelOnDisappear()
        .whenHidden(.lowerPriority)
        .whenHidden(.keep)
        .keepsCurrent()
        .loader(manager)
        .followsScrolling()
}

@MainActor func byPhase(url: URL) -> some View {
    GannetImage(url) { phase in
        switch phase {
        case .empty: EmptyView()
        case .loading(let progress, nil): Text("\(progress.received) bytes")
        case .loading(_, .some(let preview)): preview
        case .image(let image): image.resizable()
        case .failure(let error, let retry): Button(error.message) { retry() }
        }
    }
}

@MainActor func blurred(url: URL) -> some View {
    GannetImage(ImageRequest(url, .transform(.blur(radius: 10))))
}
