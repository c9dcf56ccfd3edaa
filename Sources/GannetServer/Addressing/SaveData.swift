#if Server
    import GannetFetch

    /// A client's request for fewer bytes: the field `Save-Data` (RFC 8674).
    enum SaveData {
        static let name = "Save-Data"

        /// The field is the token `on`, with or without parameters.
        static func isOn(_ request: ThumbnailService.Request) -> Bool {
            request.header("save-data").map { $0.prefix { $0 != ";" }.trimmedOWS().lowercased() == "on" } ?? false
        }

        /// Fills in the quality only where nothing else decides it. `quality` nil: the operator has none for such clients.
        static func apply(_ quality: Int?, _ isOn: Bool, to address: inout ThumbnailAddress) {
            guard let quality, address.options.leavesQuality, !address.isInfo else { return }
            address.leavesQualityToClient = true
            if isOn { address.options.quality = quality }
        }
    }
#endif
