#if Lottie
    import GannetCore

    /// The errors of damaged animations.
    enum LottieError {
        static func corrupt(_ what: String) -> ImageError {
            ImageError(.corrupt, stage: .decode, "The Lottie animation is damaged: \(what). Fetch or export it again.")
        }

        static var truncated: ImageError {
            ImageError(.truncated, stage: .decode, "The Lottie animation ends before its text does. Load it again.")
        }

        static func unsupported(_ what: String) -> ImageError {
            ImageError(.unsupported, stage: .decode, "The Lottie animation cannot be read: \(what). Export it as plain JSON.")
        }

        static func error(_ fault: JSONReader.Fault) -> ImageError {
            switch fault {
            case .ended: truncated
            case .damaged(let place): corrupt("byte \(place) of its text is not JSON")
            case .deep:
                ImageError(
                    .limitExceeded, stage: .decode,
                    "The Lottie animation is nested deeper than \(JSONReader.maximumDepth) levels. Export it with fewer groups.")
            }
        }
    }
#endif
