#if Radiance
    package import GannetCore

    /// Radiance pictures: RGBE and XYZE, plain, with the run lengths of 1985 and of 1991, in all eight turns.
    package struct RadianceCoder: OneFormatCoder, MultiSizeCoder, WorkerLoadable {
        package static var isMemorySafe: Bool { true }
        /// Has no options.
        package init() {}

        package static var format: ImageFormat { .radiance }

        private static let signatures = ["#?RADIANCE", "#?RGBE"].map { Array($0.utf8) }

        package func recognizes(_ head: Span<UInt8>) -> Recognition {
            var wanted = 0
            for signature in Self.signatures {
                let count = min(head.count, signature.count)
                guard (0..<count).allSatisfy({ head[$0] == signature[$0] }) else { continue }
                if count == signature.count { return .yes(.radiance) }
                wanted = max(wanted, signature.count)
            }
            return wanted > 0 ? .needsMoreBytes(wanted) : .no
        }

        package func makeDecoder(_ options: ResolvedDecodeOptions, _ environment: DecodeEnvironment) -> any ImageDecoder {
            WholeFileDecoder<RadianceFile>(options: options, environment: environment)
        }
    }

    struct RadianceFile: WholeFileFormat {
        // Programs write the commands that they were called with.
        static let headerBytes = 1 << 16

        private let radiance: RadianceHeader
        private let light: SceneLight
        let header: ImageHeader
        private(set) var outputColorSpace: ColorSpace

        init?(head: [UInt8], isComplete: Bool, options: ResolvedDecodeOptions, environment: DecodeEnvironment) throws(ImageError)
        {
            guard let radiance = try RadianceHeader(head) else {
                guard head.count < Self.headerBytes else {
                    throw RadianceHeader.corrupt("The header does not end within \(Self.headerBytes) bytes.")
                }
                return nil
            }
            self.radiance = radiance
            light = SceneLight(options, environment)
            // A byte, and the exponent.
            header = ImageHeader(
                format: .radiance, size: radiance.size, orientation: radiance.orientation, bitDepth: 16,
                colorSpace: SceneLight.colorSpace(.rgb, primaries: radiance.primaries))
            outputColorSpace = header.colorSpace
        }

        var outputSize: PixelSize { light.outputSize(header) }

        /// A row takes one pixel and a run at least.
        var leastBytes: Int { radiance.end + radiance.size.height * (radiance.size.width == 1 ? 4 : 8) }

        mutating func decode(
            _ index: Int, of bytes: [UInt8], into buffer: inout PixelBuffer, _ watch: DecodeWatch
        ) throws(ImageError) -> Bool {
            let rows = RadianceRows(bytes, radiance)
            let decoded = try light.decode(rows, header, into: &buffer, watch)
            outputColorSpace = decoded.colors
            return decoded.isWhole
        }
    }
#endif
