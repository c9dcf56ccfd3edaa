#if HEIC
    import GannetCore

    /// One HEIC file. The header is read as soon as the `meta` box is there, and needs nothing after it.
    final class HEICFile: WholeFileFormat {
        static let headerBytes = Int.max

        private let environment: DecodeEnvironment
        private var handle: HEICHandle
        private var byteCount: Int?
        private(set) var header: ImageHeader
        private(set) var exif: [UInt8]?

        init?(head: [UInt8], isComplete: Bool, options: ResolvedDecodeOptions, environment: DecodeEnvironment) throws(ImageError)
        {
            let handle: HEICHandle
            if isComplete {
                handle = try HEICHandle(
                    ISOBoxes.withLength(head) ?? head, limits: environment.limits, threads: environment.threads)
            } else {
                let boxes = ISOBoxes(bytes: head)
                // A length of 0 means "to the end", which has not arrived.
                guard let meta = boxes.topLevel.first(where: { $0.type == "meta" || $0.type == "moov" }),
                    boxes.number(meta.start, 4) != 0
                else { return nil }
                // Hides the incomplete media data from the library. If the library cannot read this part, it may still be able to
                // read the whole file.
                let early = try? HEICHandle(
                    Array(head[..<meta.content.upperBound]), limits: environment.limits, threads: environment.threads)
                guard let early else { return nil }
                handle = early
            }
            self.environment = environment
            self.handle = handle
            header = try Self.header(of: handle, environment.limits)
        }

        func complete(_ bytes: ByteRope) throws(ImageError) {
            guard byteCount != bytes.count else { return }
            let whole = bytes.contiguous()
            let handle = try HEICHandle(
                ISOBoxes.withLength(whole) ?? whole, limits: environment.limits, threads: environment.threads)
            byteCount = bytes.count
            self.handle = handle
            header = try Self.header(of: handle, environment.limits)
            let limit = environment.limits.maximumMetadataBytes - header.colorSpace.iccProfile.count
            let block = handle.exif(limit: limit)
            // Four bytes give the offset of the TIFF header after them.
            guard block.count > 4 else { return }
            let offset = block[0..<4].reduce(0) { $0 << 8 | Int($1) }
            if offset < block.count - 4 { exif = EXIF.strippingPrefix(Array(block[(4 + offset)...])) }
        }

        private static func header(of handle: HEICHandle, _ limits: DecodeLimits) throws(ImageError) -> ImageHeader {
            guard let size = PixelSize(width: handle.width, height: handle.height) else {
                throw HEICHandle.corrupt("The HEIC file says it has \(handle.width)×\(handle.height) pixels.")
            }
            guard handle.largestArea <= limits.maximumPixels else {
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "A part of the HEIC file has \(handle.largestArea) pixels; the limit is \(limits.maximumPixels). Raise maximumPixels to allow it."
                )
            }
            try limits.check(metadataBytes: handle.iccByteCount)
            let profile = handle.iccProfile
            return ImageHeader(
                format: .heic, size: size, hasAlpha: handle.hasAlpha, bitDepth: handle.depth > 0 ? handle.depth : 8,
                colorSpace: ColorSpace(
                    model: ICCProfile.isGray(profile) ? .gray : .rgb, iccProfile: profile,
                    cicp: profile.isEmpty ? handle.cicp : nil))
        }

        func decode(
            _ index: Int, of bytes: [UInt8], into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) -> Bool {
            try watch.check()
            let isDeep = header.bitDepth > 8
            if isDeep {
                try convertByLibrary(isDeep: true, into: &buffer, watch)
            } else if try !fill(&buffer, watch) {
                try convertByLibrary(isDeep: false, into: &buffer, watch)
            }
            try watch.check()
            if header.hasAlpha, handle.isPremultiplied { buffer.setAlpha(.premultiplied) }
            return true
        }

        /// The area for which libheif allocates memory: that of the image, or of its largest part if that is larger.
        private var largestArea: Int { max(header.size.area, handle.largestArea) }

        /// Converts the decoder's samples to pixels in one step. False if another method has to convert them.
        private func fill(_ buffer: inout PixelBuffer, _ watch: DecodeWatch) throws(ImageError) -> Bool {
            // The planes of the decoder and of the library, counted with full-resolution chroma.
            let bytes = largestArea * (header.hasAlpha ? 9 : 7)
            let reservation = try environment.reserve(bytes)
            handle.allow(bytes)
            defer { withExtendedLifetime(reservation) {} }
            guard let planes = try handle.planes(watch) else { return false }
            try Self.check(planes.width, planes.height, buffer.layout)
            try watch.check()
            buffer.withUnsafeRows { base, stride in planes.write(to: base, stride: stride) }
            return true
        }

        private static func check(_ width: Int, _ height: Int, _ layout: PixelLayout) throws(ImageError) {
            guard width == layout.size.width, height == layout.size.height else {
                throw HEICHandle.corrupt("The HEVC picture is \(width)×\(height), the HEIC file says \(layout.size).")
            }
        }

        /// Converts deep samples, and those that are neither grey nor in a common matrix.
        private func convertByLibrary(
            isDeep: Bool, into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) {
            let layout = buffer.layout
            // The planes of the decoder and of the library, the interleaved copy, and the intermediate ones: measured by
            // scripts/memory.py.
            let bytes = largestArea * (isDeep ? 2 : 1) * (header.hasAlpha ? 13 : 12)
            let reservation = try environment.reserve(bytes)
            handle.allow(bytes)
            defer { withExtendedLifetime(reservation) {} }
            var scale = DepthScale(bits: header.bitDepth)
            try handle.withPixels(isDeep: isDeep, watch) { (rows, stride, width, height) throws(ImageError) in
                try Self.check(width, height, layout)
                try watch.check()
                buffer.withUnsafeRows { base, target in
                    for y in 0..<height {
                        let row = UnsafeRawPointer(rows + y * stride)
                        let out = UnsafeMutableRawPointer(base + y * target)
                        if !isDeep {
                            out.copyMemory(from: row, byteCount: width * 4)
                        } else {
                            scale.convert(row, out, samples: width * 4, to: layout.format)
                        }
                    }
                }
            }
        }
    }

    /// Scales samples of 9 to 16 bits to 8 or 16, rounding to nearest.
    struct DepthScale {
        private let maximum: Int
        private var narrow: [UInt8] = []
        private var wide: [UInt16] = []

        init(bits: Int) { maximum = (1 << min(max(bits, 1), 16)) - 1 }

        mutating func convert(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, samples: Int, to format: PixelFormat)
        {
            let source = source.assumingMemoryBound(to: UInt16.self)
            switch format {
            case .rgba8:
                if narrow.isEmpty { narrow = (0...maximum).map { UInt8(($0 * 255 + maximum / 2) / maximum) } }
                let target = target.assumingMemoryBound(to: UInt8.self)
                for index in 0..<samples { target[index] = narrow[min(Int(source[index]), maximum)] }
            case .rgba16:
                if wide.isEmpty { wide = (0...maximum).map { UInt16(($0 * 65535 + maximum / 2) / maximum) } }
                let target = target.assumingMemoryBound(to: UInt16.self)
                for index in 0..<samples { target[index] = wide[min(Int(source[index]), maximum)] }
            }
        }
    }
#endif
