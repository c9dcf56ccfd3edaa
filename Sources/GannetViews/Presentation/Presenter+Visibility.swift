import GannetCore

/// Visibility, and new attempts.
extension Presenter {
    /// Hidden views play nothing, run no transition and need no redraw. Their loads do as ``ViewDefaults/whenHidden`` says.
    public func setVisible(_ isVisible: Bool, isolation: isolated (any Actor)? = #isolation) {
        let changes = isVisible != stage.isVisible
        stage.isVisible = isVisible
        if changes { if isVisible { appear() } else { disappear() } }
        if !isVisible, stage.endTransition() { dispatch(.transitionEnded) }
        target?.presenterNeedsDisplay()
    }

    private func appear(isolation: isolated (any Actor)? = #isolation) {
        setLowered(false)
        guard let asked else { return }
        if asked.error == nil, asked.isDue { reload() } else if defaults.retriesOnAppear || asked.isDue { retry() }
    }

    private func disappear(isolation: isolated (any Actor)? = #isolation) {
        let action = defaults.whenHidden
        switch action {
        case .keep: break
        case .lowerPriority: setLowered(true)
        case .cancel, .release:
            let releases = action == .release && showsResult
            guard isLoading || releases else { return }
            asked?.isDue = true
            let number = callNumber
            cancel()
            // A completion may have made another call.
            if releases, callNumber == number { show(nil) }
        }
    }

    private func setLowered(_ isLowered: Bool) {
        guard isLowered != running.isLowered else { return }
        running.isLowered = isLowered
        let loads = running
        loads.passOn()
    }

    /// Set by the user: stays when the view is hidden and seen again.
    package func setPlaying(_ plays: Bool, at now: Duration, isolation: isolated (any Actor)? = #isolation) {
        stage.setPlaying(plays, at: now)
        target?.presenterNeedsDisplay()
    }

    /// Requests the image of the newest call again if that call failed, even while its source is blocked after failures. For "try
    /// again" buttons, and for programs that learn that the network is back. The failed call's completion is not called again.
    public func retry(isolation: isolated (any Actor)? = #isolation) {
        guard let asked, asked.error != nil, !isLoading else { return }
        var request = asked.request
        request.schedule.retryFailedSources = true
        setImage(request, options: asked.options)
    }

    /// Requests the image of the newest call again, whatever became of it. Its completion is not called again.
    package func reload(isolation: isolated (any Actor)? = #isolation) {
        guard let asked else { return }
        setImage(asked.request, options: asked.options)
    }

    /// Reports that a network is available again. With ``ViewDefaults/retriesOnReconnect``, a load that could not reach its
    /// server is retried: now, or when the view is seen.
    public func networkReturned(isolation: isolated (any Actor)? = #isolation) {
        guard defaults.retriesOnReconnect, let asked, asked.couldNotReachServer else { return }
        if stage.isVisible { retry() } else { self.asked?.isDue = true }
    }
}
