import GannetCore

/// The newest call of a slot and its outcome.
struct AskedCall {
    var request: ImageRequest
    var options: PresentationOptions
    /// Nil: no failure so far, or cancelled.
    var error: ImageError?
    /// To be requested again when the view is seen: a network came back, or the load was cancelled, while it was hidden.
    var isDue = false

    /// True for failures that say nothing about the image.
    var couldNotReachServer: Bool {
        switch error?.code {
        case .network?, .hostNotFound?, .connectionFailed?, .timedOut?: true
        default: false
        }
    }
}

/// The handlers of one call.
struct PresenterCall {
    /// ``Presenter/callNumber`` of it.
    var number: Int
    var progress: Presenter.ProgressHandler?
    var completion: Presenter.Completion?
}
