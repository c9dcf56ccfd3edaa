package import GannetCore

/// The reading of replies, for tests that change their bytes.
package enum SandboxWire {
    package struct State {
        package var header: ImageHeader?
        package var layout: PixelLayout?
        package var exif: [UInt8]?
    }

    package static func reply(
        header: ImageHeader, layout: PixelLayout, isPartial: Bool, availableFrames: Int, exif: [UInt8]?
    ) -> [UInt8] {
        var state = SessionState(.finished)
        (state.header, state.layout, state.isPartial) = (header, layout, isPartial)
        (state.availableFrames, state.exif) = (availableFrames, exif)
        var writer = WireWriter()
        state.write(&writer)
        return writer.bytes
    }

    /// Nil: refused.
    package static func read(_ bytes: [UInt8], limits: DecodeLimits) -> State? {
        var reader = WireReader(bytes)
        guard let state = try? SessionState(&reader, limits: limits), (try? reader.end()) != nil else { return nil }
        return State(header: state.header, layout: state.layout, exif: state.exif)
    }
}
