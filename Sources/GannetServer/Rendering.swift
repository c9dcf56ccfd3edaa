#if Server
    import GannetCore

    /// An answer that is to be made, with everything that decides its bytes. Constant from the beginning of a request on: what is set on
    /// the service meanwhile is for later requests, and never under this key.
    struct Rendering: Sendable {
        let address: ThumbnailAddress
        let choice: FormatChoice
        let configuration: ThumbnailService.Configuration
        let key: ResponseKey
        /// The stale answer that was there.
        var last: StoredResponse?

        init(_ address: ThumbnailAddress, _ choice: FormatChoice, _ configuration: ThumbnailService.Configuration) {
            (self.address, self.choice, self.configuration) = (address, choice, configuration)
            key = ResponseKey(address, choice, of: configuration)
        }
    }
#endif
