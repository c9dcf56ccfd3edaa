package import GannetCore

#if Video
    import GannetCodecs
#endif

/// The image of a video, where the build reads videos.
package enum VideoFrame {
    /// False: it reads none.
    package static func choose(_ time: Duration, in request: inout ImageRequest) -> Bool {
        #if Video
            request.context.videoTime = time
            return true
        #else
            return false
        #endif
    }
}
