extension WebPOptions {
    /// A field of `WebPConfig`, by its name there.
    package enum Field: String, CaseIterable, Sendable {
        case lossless, method
        case targetSize = "target_size"
        case targetPSNR = "target_PSNR"
        case segments
        case noiseShaping = "sns_strength"
        case filterStrength = "filter_strength"
        case filterSharpness = "filter_sharpness"
        case filterType = "filter_type"
        case autofilter
        case alphaCompression = "alpha_compression"
        case alphaFiltering = "alpha_filtering"
        case alphaQuality = "alpha_quality"
        case pass, preprocessing, partitions
        case partitionLimit = "partition_limit"
        case emulatesJPEGSize = "emulate_jpeg_size"
        case threads = "thread_level"
        case lowMemory = "low_memory"
        case nearLossless = "near_lossless"
        case exact
        case sharpYUV = "use_sharp_yuv"
        case imageHint = "image_hint"
        case qualityMinimum = "qmin"
        case qualityMaximum = "qmax"

        package var range: ClosedRange<Double> {
            switch self {
            case .targetSize: 0...Double(Int32.max)
            // More decibels than any image has.
            case .targetPSNR: 0...99
            case .segments: 1...4
            case .method: 0...6
            case .filterSharpness, .preprocessing: 0...7
            case .alphaFiltering: 0...2
            case .partitions, .imageHint: 0...3
            case .pass: 1...10
            case .noiseShaping, .filterStrength, .alphaQuality, .partitionLimit, .nearLossless, .qualityMinimum, .qualityMaximum:
                0...100
            case .lossless, .filterType, .autofilter, .alphaCompression, .emulatesJPEGSize, .threads, .lowMemory, .exact,
                .sharpYUV:
                0...1
            }
        }
    }
}

extension WebPOptions {
    /// Throws `misuse` for a value that libwebp would refuse.
    package func check() throws(ImageError) {
        for (field, value) in values.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            if let fault = field.fault(of: value) { throw ImageError(.misuse, stage: .encode, "WebP: " + fault) }
        }
        if let low = self[.qualityMinimum], let high = self[.qualityMaximum], low > high {
            throw ImageError(.misuse, stage: .encode, "WebP: qmin is \(Int(low)), above qmax, which is \(Int(high)).")
        }
    }

    /// Stable text for keys; empty if nothing is set.
    package var keyText: String {
        values.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key.rawValue):\($0.value)" }.joined(separator: "+")
    }
}

extension WebPOptions.Field {
    /// Whether its numbers may have a fraction.
    private var hasFraction: Bool { self == .targetPSNR }

    /// The reason why a value is refused; nil: it is valid.
    package func fault(of value: Double) -> String? {
        let isRight = range.contains(value) && (hasFraction || value == value.rounded())
        let (low, high) = (Int(range.lowerBound), Int(range.upperBound))
        let shown = Int(exactly: value).map(String.init) ?? "\(value)"
        return isRight
            ? nil : "\(rawValue) is \(shown), and may be \(hasFraction ? "a number" : "a whole number") from \(low) to \(high)."
    }
}
