import Adwaita
import Foundation
import GannetAdwaita
import GannetGTK

// The calls of the table on the page about adapters, compiled.

func aSourceImage(url: URL) -> GannetAdwaita.GannetImage {
    GannetAdwaita.GannetImage(url)
}

func theCallsOfTheTable(url: URL, placeholder image: DecodedImage, manager: ImageManager) -> AnyView {
    aSourceImage(url: url)
        .resizable()
        .scaledToFit()
        .scaledToFill()
        .frame(width: 320, height: 240)
        .expectedSize(width: 320, height: 240)
        .placeholder(.color(.middleGray))
        .indicator(.activity)
        .failure(.image(image))
        .transition(.fade(.milliseconds(250)))
        .onSuccess { print($0.origin) }
        .onFailure { print($0.message) }
        .onProgress { print($0.fraction ?? 0) }
        .retryButton("Try again")
        .cancelOnDisappear()
        .onDisappear(.lowerPriority)
        .onDisappear(.keep)
        .priority(.high)
        .keepsCurrent()
        .loader(manager)
        .alternativeText("A gannet in flight")
}

func byPhase(url: URL) -> AnyView {
    GannetAdwaita.GannetImage(url) { phase in
        switch phase {
        case .loading: Spinner().spinning(true)
        case .failure(let error): Text(error.message)
        case .empty, .image: []
        }
    }
}

func blurred(url: URL) -> AnyView {
    GannetAdwaita.GannetImage(ImageRequest(url, .transform(.blur(radius: 10))))
}
