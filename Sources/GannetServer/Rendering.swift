#if Server
    import GannetCore

    /// A response to be rendered, with everything that decides its bytes. Constant from the beginning of a request on: a configuration that is
    /// set meanwhile applies to later requests, and never to this key.
    struct Rendering: Sendable {
        let address: ThumbnailAddress
        let choice: FormatChoice
        let configuration: ThumbnailService.Configuration
        let key: ResponseKey
        /// A stale response, which its source may confirm.
        var last: StoredResponse?

        init(_ address: ThumbnailAddress, _ choice: FormatChoice, _ configuration: ThumbnailService.Configuration) {
            (self.address, self.choice, self.configuration) = (address, choice, configuration)
            key = ResponseKey(address, choice, of: configuration)
        }
    }
#endif
