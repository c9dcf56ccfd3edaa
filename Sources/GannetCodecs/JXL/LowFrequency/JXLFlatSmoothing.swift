#if JXL
    /// Smooths planes where neighbours differ by less than a step, so that slow gradients have no bands (ISO/IEC 18181-1, annex I).
    struct JXLFlatSmoothing {
        private static let side: Float = 0.20345139757231578
        private static let corner: Float = 0.0334829185968739
        private static let middle = 1 - 4 * (side + corner)

        /// Of the three planes.
        let steps: [Float]

        /// The row of all three planes.
        func row(_ y: Int, of planes: [JXLLightPlane], into rows: inout [[Float]]) {
            let width = planes[0].width
            for plane in 0..<3 { planes[plane].row(y, into: &rows[plane]) }
            guard y > 0, y < planes[0].height - 1, width > 2 else { return }
            var gaps = [Float](repeating: 0.5, count: width)
            var smooth = [[Float]](repeating: [Float](repeating: 0, count: width), count: 3)
            for plane in 0..<3 { measure(planes[plane], y, 1 / steps[plane], &smooth[plane], &gaps) }
            for plane in 0..<3 {
                for x in 1..<width - 1 {
                    rows[plane][x] += (smooth[plane][x] - rows[plane][x]) * max(0, 3 - 4 * gaps[x])
                }
            }
        }

        private func measure(
            _ plane: JXLLightPlane, _ y: Int, _ perStep: Float, _ smooth: inout [Float], _ gaps: inout [Float]
        ) {
            let width = plane.width
            let samples = plane.samples
            let (above, here, below) = ((y - 1) * width, y * width, (y + 1) * width)
            for x in 1..<width &- 1 {
                let corners =
                    samples[above &+ x &- 1] + samples[above &+ x &+ 1] + samples[below &+ x &- 1] + samples[below &+ x &+ 1]
                let sides = samples[here &+ x &- 1] + samples[here &+ x &+ 1] + samples[above &+ x] + samples[below &+ x]
                let own = samples[here &+ x]
                let value = corners * Self.corner + sides * Self.side + own * Self.middle
                smooth[x] = value
                gaps[x] = max(gaps[x], abs((own - value) * perStep))
            }
        }
    }
#endif
