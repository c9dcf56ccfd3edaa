#if ColorManagement
    import CGannetShims
    import GannetCore
    import Synchronization

    /// The parameters of a conversion.
    struct LCMSTransformKey: Hashable, Sendable {
        enum Model: Hashable, Sendable { case rgb, gray, cmyk }
        enum Source: Hashable, Sendable {
            case profile([UInt8], Model)
            /// Primaries and transfer of ITU-T H.273.
            case codePoints(Int, Int)
        }
        var source: Source
        /// 16 bits a channel.
        var isDeep: Bool

        var profileBytes: Int {
            if case .profile(let bytes, _) = source { bytes.count } else { 0 }
        }
    }

    /// The owner of one Little CMS conversion. Immutable after creation, so all threads may apply it at once. (The library's
    /// one-pixel cache, which is not thread-safe, is off.)
    final class LCMSTransform: @unchecked Sendable {
        private let handle: OpaquePointer
        private let bytesPerPixel: Int

        /// Nil: nothing to convert. Throws `corrupt` for a broken profile, `unsupported` for unknown code points.
        static func make(_ key: LCMSTransformKey) throws(ImageError) -> LCMSTransform? {
            var handle: OpaquePointer?
            let outcome: gannet_lcms_outcome =
                switch key.source {
                case .profile(let bytes, let model):
                    bytes.withUnsafeBufferPointer {
                        gannet_lcms_from_icc($0.baseAddress, $0.count, model.code, key.isDeep ? 1 : 0, &handle)
                    }
                case .codePoints(let primaries, let transfer):
                    gannet_lcms_from_cicp(Int32(clamping: primaries), Int32(clamping: transfer), key.isDeep ? 1 : 0, &handle)
                }
            switch outcome {
            case GANNET_LCMS_NOT_NEEDED: return nil
            case GANNET_LCMS_UNKNOWN:
                throw ImageError(
                    .unsupported, stage: .decode,
                    "The image's colour code points are not known; its numbers are shown as they are.")
            default: break
            }
            guard outcome == GANNET_LCMS_READY, let handle else {
                throw ImageError(
                    .corrupt, stage: .decode, "The image's colour profile is broken; its numbers are shown as they are.")
            }
            return LCMSTransform(handle, bytesPerPixel: key.isDeep ? 8 : 4)
        }

        private init(_ handle: OpaquePointer, bytesPerPixel: Int) {
            self.handle = handle
            self.bytesPerPixel = bytesPerPixel
        }

        deinit { gannet_lcms_free(handle) }

        func apply(_ pixels: inout MutableSpan<UInt8>, count: Int) {
            precondition(count >= 0 && count * bytesPerPixel <= pixels.count, "more pixels than the row has")
            let handle = handle
            pixels.withUnsafeMutableBytes { gannet_lcms_apply(handle, $0.baseAddress, count) }
        }
    }

    extension LCMSTransformKey.Model {
        fileprivate var code: gannet_lcms_model {
            switch self {
            case .rgb: GANNET_LCMS_RGB
            case .gray: GANNET_LCMS_GRAY
            case .cmyk: GANNET_LCMS_CMYK
            }
        }
    }

    /// The most recent conversions. A look-up compares whole profiles: most differ in length, and comparing a few kilobytes
    /// costs less than a hash.
    final class LCMSTransformCache: Sendable {
        private struct Entry {
            var key: LCMSTransformKey
            /// Nil: nothing to convert.
            var transform: LCMSTransform?
        }

        /// Most recently used last. The lock guards the list for a few lines; conversions are created outside of it.
        private let entries: Mutex<[Entry]>
        private let capacity: Int

        init(capacity: Int) {
            self.capacity = max(1, capacity)
            entries = Mutex([])
        }

        func transform(for key: LCMSTransformKey) throws(ImageError) -> LCMSTransform? {
            let known = entries.withLock { entries -> Entry? in
                guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
                let entry = entries.remove(at: index)
                entries.append(entry)
                return entry
            }
            if let known { return known.transform }
            let made = try LCMSTransform.make(key)
            // Profiles are part of the keys. Typical ones have a few kilobytes, those for printing up to two megabytes.
            guard key.profileBytes <= 4 << 20 else { return made }
            entries.withLock { entries in
                // Another thread may have created the same one meanwhile; one of the two is kept.
                entries.removeAll { $0.key == key }
                entries.append(Entry(key: key, transform: made))
                if entries.count > capacity { entries.removeFirst(entries.count - capacity) }
            }
            return made
        }
    }
#endif
