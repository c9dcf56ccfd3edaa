#if HEIC
    import CHEIF
    import GannetCore

    /// The frames of a track: the owner of libheif's track, which is decoded from its first frame on.
    final class HEICSequence: HEICSource {
        /// libheif's track in its context. The track is closed first.
        private final class Player {
            let context: HEICContext
            let track: OpaquePointer
            /// The frame that comes next.
            var next = 0

            init(_ bytes: HEICBytes, _ track: HEICTrack, limits: DecodeLimits, threads: Int) throws(ImageError) {
                context = try HEICContext(bytes, limits: limits, threads: threads)
                let opened = gannet_heif_sequence_open(
                    context.pointer, UInt32(clamping: track.colors.number), UInt16(clamping: track.colors.width),
                    UInt16(clamping: track.colors.height))
                guard let opened else { throw HEICHandle.corrupt("libheif finds no sequence in the HEIC file.") }
                self.track = opened
            }

            deinit { gannet_heif_sequence_close(track) }
        }

        private let bytes: HEICBytes
        private let boxes: HEICTrack
        private let limits: DecodeLimits
        private let threads: Int
        private var player: Player
        private var allowedBytes: Int?
        let largestArea: Int

        /// Reads all boxes, but no pixels.
        init(_ array: [UInt8], _ track: HEICTrack, limits: DecodeLimits, threads: Int) throws(ImageError) {
            // The library reads the items too.
            try HEICItems.check(array)
            largestArea = try HEICSizes.largestArea(array, and: track.sets)
            bytes = HEICBytes(HEICView.of(track, array))
            boxes = track
            self.limits = limits
            self.threads = threads
            player = try Player(bytes, track, limits: limits, threads: threads)
            guard (gannet_heif_sequence_has_alpha(player.track) != 0) == hasAlpha else {
                throw HEICHandle.corrupt("The HEIC sequence's alpha belongs to another track.")
            }
        }

        var track: HEICTrack? { boxes }
        var width: Int { boxes.colors.width }
        var height: Int { boxes.colors.height }
        var depth: Int { boxes.colors.depth }
        var hasAlpha: Bool { boxes.alpha != nil }
        var isPremultiplied: Bool { boxes.isPremultiplied }
        var iccByteCount: Int { boxes.iccProfile.count }
        var iccProfile: [UInt8] { boxes.iccProfile }
        var cicp: CICP? { boxes.cicp }

        /// That of the primary image, if there is one.
        func exif(limit: Int) -> [UInt8] {
            guard let handle = try? player.context.primary() else { return [] }
            defer { heif_image_handle_release(handle) }
            return HEICHandle.exif(of: handle, limit: limit)
        }

        func allow(_ reservedBytes: Int) {
            allowedBytes = reservedBytes
            // A coded frame is copied too.
            player.context.allow(reservedBytes + boxes.largestSample)
        }

        /// libheif only goes forward: for an earlier frame the track is opened anew.
        func decode(
            _ index: Int, _ space: heif_colorspace, _ chroma: heif_chroma, _ watch: DecodeWatch
        ) throws(ImageError) -> OpaquePointer {
            if index < player.next {
                player = try Player(bytes, boxes, limits: limits, threads: threads)
                if let allowedBytes { allow(allowedBytes) }
            }
            while player.next < index {
                heif_image_release(try next(heif_colorspace_undefined, heif_chroma_undefined, watch))
            }
            return try next(space, chroma, watch)
        }

        private func next(
            _ space: heif_colorspace, _ chroma: heif_chroma, _ watch: DecodeWatch
        ) throws(ImageError) -> OpaquePointer {
            try watch.check()
            var points = gannet_heif_code_points()
            if let cicp {
                points = gannet_heif_code_points(
                    primaries: UInt16(clamping: cicp.primaries), transfer: UInt16(clamping: cicp.transfer),
                    matrix: UInt16(clamping: cicp.matrix), is_full_range: cicp.isFullRange ? 1 : 0, is_known: 1)
            }
            var image: OpaquePointer?
            try HEICHandle.check(gannet_heif_sequence_next(player.track, &points, &image, space, chroma))
            guard let image else { throw HEICHandle.corrupt("libheif made no image.") }
            player.next += 1
            return image
        }
    }
#endif
