import Foundation
import Gannet

// Every form in which programs catch errors, compiled, with closures (`??` and `||` make one) and without. None of it is run. The
// optimised tests compile it again.

func errorsInClosures() {
    let load = { @Sendable (url: URL) async -> LoadedImage? in
        do throws(ImageError) {
            return try await ImageManager.shared.image(for: url)
        } catch {
            switch error.code {
            case .cancelled: return nil
            case .httpStatus where error.httpStatus == 404 || error.httpStatus == 410: print("gone:", error.source ?? "")
            default: print(error)
            }
            return nil
        }
    }
    _ = load
}

func errorsAmongOthers() async {
    do {
        let data = try Data(contentsOf: URL(filePath: "/tmp/a.jpg"))
        _ = try await ImageManager.shared.image(for: ImageRequest(.data(data, identifier: "avatar-17")))
    } catch let error as ImageError {
        print(error.code, error.source ?? "")
    } catch {
        print(error)
    }
}

func errorsAmongOthersPassedOn() async throws {
    do {
        let data = try Data(contentsOf: URL(filePath: "/tmp/a.jpg"))
        _ = try await ImageManager.shared.image(for: ImageRequest(.data(data, identifier: "avatar-17")))
    } catch let error as ImageError where error.code == .empty || error.code == .truncated {
        print(error.source ?? "", [1, 2].map { "\($0): \(error.message)" })
    } catch let error as ImageError {
        switch error.code {
        case .notFound, .io: throw error
        case .httpStatus where error.httpStatus == 404 || error.httpStatus == 410: throw CancellationError()
        default: print(error.source ?? "")
        }
    }
}

func errorsInFunctionsThatThrow(_ event: ImageTaskEvent) async throws {
    do {
        switch event {
        case .progress: _ = try await ImageManager.shared.image(for: "https://example.org/a.jpg")
        case .preview(let image): try await image.write(to: "/tmp/a.png")
        case .stale(let loaded): try await loaded.write(to: "/tmp/a.png")
        case .finished(let result): print(try result.get().size)
        }
    } catch {
        switch error.code {
        case .notFound, .io: throw error
        case .cancelled where error.source == nil || error.stage == .load: throw CancellationError()
        default: print(error.source ?? "", [1, 2].map { "\($0): \(error.message)" })
        }
    }
}

func errorsOfNamedType(_ text: String) throws {
    do throws(ImageError) {
        switch text {
        case "": throw ImageError(.misuse, "There is no text.")
        default: print(try ImageManager.shared.cacheKey(for: ImageRequest(text)))
        }
    } catch {
        if error.code == .misuse || error.code == .io { throw error }
        print(error.source ?? "")
    }
}

func errorsPassedOnTyped(_ text: String) async throws(ImageError) -> LoadedImage? {
    do {
        return try await ImageManager.shared.image(for: text)
    } catch {
        guard error.code == .cacheMiss || error.code == .notFound else { throw error }
        return nil
    }
}

func errorsOfTasks(_ task: ImageTask) async throws {
    do {
        print(try await task.value.size)
        try await Task.sleep(for: .seconds(1))
    } catch let error as ImageError {
        print(error.message, error.underlying.map { "\($0), \(error.code)" } ?? error.code.name)
    } catch {
        throw error
    }
}
