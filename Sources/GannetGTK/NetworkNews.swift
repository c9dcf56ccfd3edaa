#if GTK
    import CGTK
    import CGannetShims

    /// Notifies registered widgets when the network is back. Listens to GNetworkMonitor from the first registration.
    @GTKActor package final class NetworkNews {
        package static let shared = NetworkNews()

        private var listeners: [ObjectIdentifier: Listener] = [:]
        private var isListening = false
        private var isThere = true

        private struct Listener { weak var images: WidgetImages? }

        private init() {}

        func add(_ images: WidgetImages) {
            if listeners[ObjectIdentifier(images)]?.images === images { return }
            // Drop dead widgets so that the list does not grow.
            if listeners.count >= limit {
                listeners = listeners.filter { $0.value.images != nil }
                limit = max(listeners.count * 2, 64)
            }
            listeners[ObjectIdentifier(images)] = Listener(images: images)
            listen()
        }
        private var limit = 64

        private func listen() {
            guard !isListening, let monitor = g_network_monitor_get_default() else { return }
            isListening = true
            isThere = g_network_monitor_get_network_available(monitor) != 0
            // The monitor lives as long as the process.
            GTKWidget(monitor).connectInt("network-changed") { [weak self] isThere in self?.changed(isThere != 0) }
        }

        /// Handles a change of GNetworkMonitor, which reports every route change; only a change from no network to one counts.
        /// Tests call it.
        package func changed(_ isThere: Bool) {
            defer { self.isThere = isThere }
            guard isThere, !self.isThere else { return }
            for listener in listeners.values { listener.images?.networkReturned() }
        }
    }
#endif
