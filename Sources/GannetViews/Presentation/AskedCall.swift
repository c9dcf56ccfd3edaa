import GannetCore

/// The newest call of a slot and its outcome.
struct AskedCall {
    var request: ImageRequest
    var options: PresentationOptions
    /// Nil: no failure so far, or cancelled.
    var failure: ImageError.Code?
    /// A network came back while the view was hidden.
    var isDue = false

    /// True for failures that say nothing about the image.
    var couldNotReachServer: Bool {
        switch failure {
        case .network?, .hostNotFound?, .connectionFailed?, .timedOut?: true
        default: false
        }
    }
}
