#if Server
    import GannetCore

    /// A response to be rendered, with everything that decides its bytes. Constant from the beginning of a request on: a configuration that is
    /// set meanwhile applies to later requests, and never to this key.
    struct Rendering: Sendable {
        let address: ThumbnailAddress
        let choice: FormatChoice
        let configuration: ThumbnailService.Configuration
        let key: ResponseKey
        /// Of a watermark that was loaded for it.
        let mark: Freshness?
        /// A stale response, which its source may confirm.
        var last: StoredResponse?

        init(
            _ address: ThumbnailAddress, _ choice: FormatChoice, _ configuration: ThumbnailService.Configuration,
            mark: Freshness? = nil
        ) {
            (self.address, self.choice, self.configuration, self.mark) = (address, choice, configuration, mark)
            key = ResponseKey(address, choice, of: configuration)
        }
    }
#endif
