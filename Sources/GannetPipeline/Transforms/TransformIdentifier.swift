import GannetCore

/// Writes identifiers: a name, a version of the algorithm, every parameter. Short, and the same in every run.
enum TransformIdentifier {
    /// `name@version(parameter,…)`. Raise the version when the same parameters come to give other pixels.
    static func make(_ name: String, version: Int = 1, _ parameters: [String] = []) -> String {
        "\(name)@\(version)(\(parameters.joined(separator: ",")))"
    }

    /// Free text as a parameter: what separates parameters and transformers elsewhere cannot occur in it.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            if "%,()|@\u{1}".unicodeScalars.contains(character) {
                result += "%" + String(character.value, radix: 16) + ";"
            } else {
                result.unicodeScalars.append(character)
            }
        }
        return result
    }
}

extension Double {
    /// The shortest text that reads as this number; whole numbers without a point.
    var identifierText: String {
        if self == 0 { return "0" }
        return magnitude < 1e15 && self == rounded() ? String(Int(self)) : "\(self)"
    }

    /// 0 instead of infinities and what is no number.
    var finite: Double { isFinite ? self : 0 }

    /// The nearest number of `range`; what is no number counts as 0.
    func limited(to range: ClosedRange<Double>) -> Double { min(max(finite, range.lowerBound), range.upperBound) }
}

extension Optional where Wrapped == PixelColor {
    var identifierText: String { self?.hex ?? "-" }
}
