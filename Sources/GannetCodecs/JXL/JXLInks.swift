#if JXL
    import GannetCore

    /// Converts cyan, magenta and yellow in a buffer, and black in a separate plane, to sRGB. In JPEG XL 255 is no ink.
    final class JXLInks {
        private let channel: Int
        private let plane: UnsafeMutableBufferPointer<UInt8>
        private let reservation: ResourceBudget.Reservation
        private let converter: (any ColorConverter)?

        init(_ channel: Int, _ size: PixelSize, profile: [UInt8], _ environment: DecodeEnvironment) throws(ImageError) {
            self.channel = channel
            reservation = try environment.reserve(size.area)
            var converter: (any ColorConverter)?
            if let manager = environment.colorManager {
                // With an unreadable profile, the plain conversion is used.
                do throws(ImageError) { converter = try manager.cmykConverter(iccProfile: profile) } catch {
                    converter = try manager.cmykConverter(iccProfile: [])
                }
            }
            self.converter = converter
            plane = .allocate(capacity: size.area)
            plane.initialize(repeating: 255)
        }

        deinit { plane.deallocate() }

        func setTarget(_ handle: JXLHandle) throws(ImageError) {
            guard let base = plane.baseAddress else { return }
            try handle.setTarget(base, byteCount: plane.count, channel: channel)
        }

        func apply(_ buffer: inout PixelBuffer) throws(ImageError) {
            let width = buffer.size.width
            var inks = [UInt8](repeating: 0, count: width * 4)
            for y in 0..<buffer.size.height {
                if y & 63 == 0 { try ImageError.checkCancellation(stage: .decode) }
                var row = buffer.mutableRow(y)
                for x in 0..<width {
                    for byte in 4 * x..<4 * x + 3 { inks[byte] = 255 - row[byte] }
                    inks[4 * x + 3] = 255 - plane[y * width + x]
                }
                if let converter {
                    var span = inks.mutableSpan
                    converter.convertRow(&span, count: width)
                } else {
                    for x in 0..<width {
                        let light = 255 - Int(inks[4 * x + 3])
                        for byte in 4 * x..<4 * x + 3 { inks[byte] = UInt8((255 - Int(inks[byte])) * light / 255) }
                    }
                }
                for x in 0..<width {
                    for byte in 4 * x..<4 * x + 3 { row[byte] = inks[byte] }
                }
            }
        }
    }
#endif
