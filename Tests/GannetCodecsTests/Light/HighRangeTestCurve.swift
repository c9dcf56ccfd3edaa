#if ColorManagement && (PFM || TIFF)
    import Glibc

    /// BT.2390-11, 5.4, and IEC 61966-2-1, written down a second time.
    enum HighRangeTestCurve {
        static func sRGB(_ light: Double) -> Double {
            let light = min(max(light, 0), 1)
            return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
        }

        static func factor(_ light: Double, peak: Double) -> Double {
            let most = HighRangeLight.pq(peak * 203)
            let target = HighRangeLight.pq(203) / most
            let knee = 1.5 * target - 0.5
            let before = HighRangeLight.pq(light * 203) / most
            guard before > knee else { return 1 }
            let t = (before - knee) / (1 - knee)
            let first = (2 * t * t * t - 3 * t * t + 1) * knee
            let second = (t * t * t - 2 * t * t + t) * (1 - knee)
            let after = first + second + (-2 * t * t * t + 3 * t * t) * target
            return HighRangeLight.light(ofPQ: after * most) / 203 / light
        }
    }
#endif
