import GannetCore

/// The newest call of a slot, and what became of it.
struct AskedCall {
    var request: ImageRequest
    var options: PresentationOptions
    /// Nil: not yet, or cancelled.
    var failure: ImageError.Code?
    /// A network came back while nobody saw the view.
    var isDue = false

    /// Of failures that say nothing about the picture.
    var couldNotReachServer: Bool {
        switch failure {
        case .network?, .hostNotFound?, .connectionFailed?, .timedOut?: true
        default: false
        }
    }
}
