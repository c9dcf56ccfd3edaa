import Glibc

/// How the pixels of an image are weighted when its size changes. All of them widen when they shrink, so that nothing is skipped.
public enum ResampleFilter: String, Hashable, Sendable, CaseIterable {
    /// Whole pixels are averaged down to twice the wanted size, where that saves work; the rest is `lanczos3`. Enlarging uses
    /// `catmullRom`. The best choice for photographs.
    case automatic
    /// The mean of the pixels whose centres fall into the new pixel; nearest neighbour when enlarging.
    case box
    /// Linear interpolation.
    case triangle
    /// A cubic that meets its points: sharp, little ringing.
    case catmullRom
    /// A cubic between sharp and soft (B = C = 1/3).
    case mitchell
    /// The sharpest: a sinc windowed by a sinc, three lobes.
    case lanczos3
    /// The mean weighted by the covered area. The fastest for large reductions.
    case area

    /// Distance from the centre at which the filter ends, in pixels of the larger grid. `area` is not a function of distance.
    var support: Double {
        switch self {
        case .box, .area: 0.5
        case .triangle: 1
        case .catmullRom, .mitchell: 2
        case .automatic, .lanczos3: 3
        }
    }

    /// The weight at distance `x`.
    func weight(_ x: Double) -> Double {
        switch self {
        case .box, .area: x > -0.5 && x <= 0.5 ? 1 : 0
        case .triangle: max(0, 1 - abs(x))
        case .catmullRom: Self.cubic(abs(x), b: 0, c: 0.5)
        case .mitchell: Self.cubic(abs(x), b: 1.0 / 3, c: 1.0 / 3)
        case .automatic, .lanczos3: Self.lanczos3(x)
        }
    }

    var isLanczos: Bool { self == .automatic || self == .lanczos3 }

    /// Weights at `count` distances from `x` on, `step` apart. Sines of equal steps are turned out of each other: two calls of the
    /// library instead of one for each.
    func appendLanczos(from x: Double, step: Double, count: Int, to weights: inout [Double]) {
        let (first, turn) = (Double.pi * x / 3, Double.pi * step / 3)
        var (sine, cosine) = (sin(first), cos(first))
        let (turnSine, turnCosine) = (sin(turn), cos(turn))
        for index in 0..<count {
            let angle = first + Double(index) * turn
            if abs(angle) >= .pi {
                weights.append(0)
            } else if abs(angle) < 1e-8 {
                weights.append(1)
            } else {
                let square = sine * sine
                weights.append(square * (3 - 4 * square) / (3 * angle * angle))
            }
            (sine, cosine) = (sine * turnCosine + cosine * turnSine, cosine * turnCosine - sine * turnSine)
        }
    }

    /// The family of Mitchell and Netravali (1988).
    private static func cubic(_ x: Double, b: Double, c: Double) -> Double {
        if x < 1 { return ((12 - 9 * b - 6 * c) * x * x * x + (-18 + 12 * b + 6 * c) * x * x + (6 - 2 * b)) / 6 }
        if x < 2 {
            return ((-b - 6 * c) * x * x * x + (6 * b + 30 * c) * x * x + (-12 * b - 48 * c) * x + (8 * b + 24 * c)) / 6
        }
        return 0
    }

    /// sinc(x) · sinc(x / 3), with one sine: sin 3a = sin a · (3 − 4 sin² a).
    private static func lanczos3(_ x: Double) -> Double {
        if abs(x) >= 3 { return 0 }
        if abs(x) < 1e-8 { return 1 }
        let angle = Double.pi * x / 3
        let third = sin(angle)
        let square = third * third
        return square * (3 - 4 * square) / (3 * angle * angle)
    }
}
