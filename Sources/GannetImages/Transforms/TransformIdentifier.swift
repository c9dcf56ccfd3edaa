import GannetCore

/// Writes identifiers: a name, a version of the algorithm, every parameter. Short, and stable across runs.
enum TransformIdentifier {
    /// `name@version(parameter,…)`. Raise the version when the same parameters produce different pixels.
    static func make(_ name: String, version: Int = 1, _ parameters: [String] = []) -> String {
        "\(name)@\(version)(\(parameters.joined(separator: ",")))"
    }

    /// Free text as a parameter, without the separators of parameters and transformers.
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
    /// The shortest text for this number; whole numbers without a point.
    var identifierText: String {
        if self == 0 { return "0" }
        return magnitude < 1e15 && self == rounded() ? String(Int(self)) : "\(self)"
    }

    /// 0 instead of infinities and NaN.
    var finite: Double { isFinite ? self : 0 }

    /// Clamps to `range`; NaN counts as 0.
    func limited(to range: ClosedRange<Double>) -> Double { min(max(finite, range.lowerBound), range.upperBound) }
}

extension Optional where Wrapped == PixelColor {
    var identifierText: String { self?.hex ?? "-" }
}
