public import GannetCore
import GannetKernels
import Glibc

/// Multiplies colours by a matrix, on stored (not linear) values between 0 and 1; alpha stays.
package struct ColorMatrixTransformer: ImageTransformer, Hashable {
    /// Three rows of four: for each of red, green and blue, the weights of red, green and blue, and an offset.
    package let matrix: [Double]

    /// - Precondition: 12 finite numbers.
    package init(_ matrix: [Double]) {
        precondition(matrix.count == 12 && matrix.allSatisfy(\.isFinite), "a colour matrix is 12 finite numbers")
        self.matrix = matrix
    }

    package var identifier: String? { TransformIdentifier.make("matrix", matrix.map(\.identifierText)) }

    package func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        let weights = matrix.map { Float($0) }
        return try painting(bitmap, context) { buffer, y in buffer.multiply(y, by: weights) }
    }

    /// Inverts black and white.
    static let inverting = ColorMatrixTransformer([-1, 0, 0, 1, 0, -1, 0, 1, 0, 0, -1, 1])

    /// Shares of red, green and blue in brightness (ITU-R BT.709).
    static let shares = [0.2126, 0.7152, 0.0722]
}

/// Converts to grey: brightness by ITU-R BT.709 on stored values, as CSS `grayscale(1)`.
package struct GrayscaleTransformer: ImageTransformer, Hashable {
    /// Has no options.
    package init() {}

    package var identifier: String? { TransformIdentifier.make("gray") }

    package func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        try painting(bitmap, context) { buffer, y in buffer.takeColors(y) }
    }
}

/// Brightness, contrast, saturation and exposure. - Kingfisher: ColorControlsProcessor.
package struct ColorControlsTransformer: ImageTransformer, Hashable {
    /// Added to each channel, −1 … 1; 0 changes nothing.
    package var brightness: Double { didSet { brightness = brightness.limited(to: -1...1) } }
    /// Factor for the distance from middle grey, 0 … 100; 1 changes nothing.
    package var contrast: Double { didSet { contrast = contrast.limited(to: 0...100) } }
    /// Factor for the distance from grey, 0 … 100; 1 changes nothing, 0 leaves grey.
    package var saturation: Double { didSet { saturation = saturation.limited(to: 0...100) } }
    /// Stops: light is multiplied by 2 to this power, −20 … 20, after the others; 0 changes nothing.
    package var exposure: Double { didSet { exposure = exposure.limited(to: -20...20) } }

    /// The defaults change nothing; values are clamped to their ranges.
    package init(brightness: Double = 0, contrast: Double = 1, saturation: Double = 1, exposure: Double = 0) {
        self.brightness = brightness.limited(to: -1...1)
        self.contrast = contrast.limited(to: 0...100)
        self.saturation = saturation.limited(to: 0...100)
        self.exposure = exposure.limited(to: -20...20)
    }

    package var identifier: String? {
        TransformIdentifier.make("color", [brightness, contrast, saturation, exposure].map(\.identifierText))
    }

    /// One matrix: saturation, then contrast about one half, then brightness.
    var matrix: [Double] {
        let offset = 0.5 - 0.5 * contrast + brightness
        return (0..<3).flatMap { row in
            (0..<3).map { column in
                let grey = ColorMatrixTransformer.shares[column] * (1 - saturation)
                return contrast * (grey + (row == column ? saturation : 0))
            } + [offset]
        }
    }

    package func transform(_ bitmap: Bitmap, context: TransformContext) throws(ImageError) -> Bitmap {
        let weights = matrix.map { Float($0) }
        let changesColors = brightness != 0 || contrast != 1 || saturation != 1
        let gain = pow(2, exposure)
        let table = (0..<256).map { value in
            UInt8((TransferCurve.encoded(min(TransferCurve.linear(Double(value) / 255) * gain, 1)) * 255).rounded())
        }
        return try painting(bitmap, context) { buffer, y in
            if changesColors { buffer.multiply(y, by: weights) }
            if exposure != 0 { buffer.lookUp(y, in: table) }
        }
    }
}

extension ImageTransformer where Self == StandardTransformer {
    /// Inverts each channel; alpha stays.
    public static var invert: Self { Self(ColorMatrixTransformer.inverting) }
    /// Three rows of weights for red, green, blue, and an offset.
    public static func colorMatrix(_ matrix: [Double]) -> Self { Self(ColorMatrixTransformer(matrix)) }

    /// Brightness by ITU-R BT.709, on stored values.
    public static var grayscale: Self { Self(GrayscaleTransformer()) }

    /// The defaults change nothing. Values are limited: brightness to -1 … 1, contrast and saturation to 0 … 100, exposure to
    /// -20 … 20 stops.
    public static func colorControls(
        brightness: Double = 0, contrast: Double = 1, saturation: Double = 1, exposure: Double = 0
    ) -> Self {
        Self(ColorControlsTransformer(brightness: brightness, contrast: contrast, saturation: saturation, exposure: exposure))
    }

    /// Grey, 0.7 stops brighter. - Kingfisher: BlackWhiteProcessor.
    public static var blackAndWhite: Self { Self(ColorControlsTransformer(saturation: 0, exposure: 0.7)) }
}
