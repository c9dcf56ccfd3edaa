/// How the wall is scrolled.
enum Way: String {
    /// As people do: flicks that slow down over 1.5 s, and half a second to look, to the end of the wall.
    case flicks
    /// All of the wall without a pause, at 12,000 points a second: fifteen windows.
    case fast
    /// The scroll bar is dragged: a jump to anywhere four times a second, 60 times.
    case jumps

    /// The place after `elapsed` seconds, from 0 to `end`; nil: the way is over.
    func place(after elapsed: Double, end: Double) -> Double? {
        let place: Double
        switch self {
        case .flicks:
            let (flicks, within) = (Int(elapsed / 2), elapsed.truncatingRemainder(dividingBy: 2))
            let rest = max(1 - within / 1.5, 0)
            place = Self.flick * (Double(flicks) + 1 - rest * rest)
        case .fast: place = elapsed * 12_000
        case .jumps:
            let number = Int(elapsed * 4)
            if number >= 60 { return nil }
            // Scattered, and the same in each run.
            return end * Double((number + 1) * 7_919 % 10_007) / 10_007
        }
        return place < end ? place : nil
    }

    /// Points of one flick: three windows.
    private static let flick = 2_400.0
}
