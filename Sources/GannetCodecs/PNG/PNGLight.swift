#if PNG
    import GannetCore

    /// gAMA and cHRM: the light that the numbers mean, where no other chunk says it.
    struct PNGLight: Hashable {
        private struct Point: Hashable {
            var x: Double
            var y: Double

            /// The XYZ colour of this chromaticity with a brightness (Y) of 1.
            var light: SIMD3<Double> { SIMD3(x / y, 1, (1 - x - y) / y) }
        }

        private struct Primaries: Hashable {
            var white = Point(x: 0.3127, y: 0.329)
            var red = Point(x: 0.64, y: 0.33)
            var green = Point(x: 0.3, y: 0.6)
            var blue = Point(x: 0.15, y: 0.06)

            /// True if the primaries differ by far less than is visible.
            func isNear(_ other: Primaries) -> Bool {
                zip([white, red, green, blue], [other.white, other.red, other.green, other.blue]).allSatisfy {
                    abs($0.x - $1.x) < 0.002 && abs($0.y - $1.y) < 0.002
                }
            }
        }

        /// The number is the light to this power; nil: as in sRGB.
        private var gamma: Double?
        private var primaries: Primaries?

        /// MaxCLL (cLLI), or the mastering display's brightest light (mDCV), in cd/m².
        var brightest: Int? { level ?? displayLight }
        private var level: Int?
        private var displayLight: Int?

        /// Ignores a level of 0, which is an unknown one.
        mutating func takeLevel(_ body: [UInt8]) {
            if level == nil, body.count == 8 { level = Self.light(body, 0) }
        }

        mutating func takeMasteringDisplay(_ body: [UInt8]) {
            if displayLight == nil, body.count == 24 { displayLight = Self.light(body, 16) }
        }

        /// Stored in ten-thousandths.
        private static func light(_ body: [UInt8], _ offset: Int) -> Int? {
            let light = (PNGParser.number(body, offset) + 5000) / 10_000
            return light > 0 ? light : nil
        }

        /// Ignores numbers that no display has.
        mutating func takeGamma(_ body: [UInt8]) {
            guard gamma == nil, body.count == 4 else { return }
            let value = Double(PNGParser.number(body, 0)) / 100_000
            if (0.05...20).contains(value) { gamma = value }
        }

        /// Ignores points that span no triangle.
        mutating func takeChromaticities(_ body: [UInt8]) {
            guard primaries == nil, body.count == 32 else { return }
            let points = (0..<4).map { index in
                Point(
                    x: Double(PNGParser.number(body, index * 8)) / 100_000,
                    y: Double(PNGParser.number(body, index * 8 + 4)) / 100_000)
            }
            guard points.allSatisfy({ (0...1).contains($0.x) && (0.001...1).contains($0.y) }) else { return }
            let found = Primaries(white: points[0], red: points[1], green: points[2], blue: points[3])
            if Matrix(found.red.light, found.green.light, found.blue.light).inverse != nil { primaries = found }
        }

        /// An ICC profile (ICC.1:2022) of the same meaning; empty for sRGB.
        ///
        /// Writers mean sRGB by a gamma of 1/2.2, unless they name other primaries.
        func profile(isGray: Bool) -> [UInt8] {
            let isUsual = gamma.map { abs($0 - 1 / 2.2) < 0.001 } ?? true
            let primaries = isGray ? Primaries() : self.primaries ?? Primaries()
            if isUsual, primaries.isNear(Primaries()) { return [] }
            let curve = gamma.map { ProfileWriter.parameters(0, [1 / $0]) } ?? ProfileWriter.parameters(3, ProfileWriter.sRGB)
            if isGray {
                return ProfileWriter.profile("GRAY", [("wtpt", ProfileWriter.point(ProfileWriter.white)), ("kTRC", curve)])
            }
            guard let columns = Self.columns(primaries) else { return [] }
            return ProfileWriter.profile(red: columns.0, green: columns.1, blue: columns.2, curve: curve)
        }

        // MARK: Light

        /// The XYZ colour of each primary at full strength, adapted from the file's white to the profile's (Bradford).
        private static func columns(_ primaries: Primaries) -> (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)? {
            let mixed = Matrix(primaries.red.light, primaries.green.light, primaries.blue.light)
            let cones = Matrix(SIMD3(0.8951, -0.7502, 0.0389), SIMD3(0.2664, 1.7135, -0.0685), SIMD3(-0.1614, 0.0367, 1.0296))
            guard let strengths = mixed.inverse?.applied(to: primaries.white.light), let back = cones.inverse else { return nil }
            let change = cones.applied(to: ProfileWriter.white) / cones.applied(to: primaries.white.light)
            func adapted(_ light: SIMD3<Double>) -> SIMD3<Double> { back.applied(to: cones.applied(to: light) * change) }
            return (
                adapted(mixed.a * strengths.x), adapted(mixed.b * strengths.y), adapted(mixed.c * strengths.z)
            )
        }

        /// Columns.
        private struct Matrix {
            var a, b, c: SIMD3<Double>

            init(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) { (self.a, self.b, self.c) = (a, b, c) }

            func applied(to v: SIMD3<Double>) -> SIMD3<Double> { a * v.x + b * v.y + c * v.z }

            /// Nil if there is none.
            var inverse: Matrix? {
                let (first, second, third) = (Self.cross(b, c), Self.cross(c, a), Self.cross(a, b))
                let determinant = (a * first).sum()
                guard abs(determinant) > 1e-6 else { return nil }
                return Matrix(
                    SIMD3(first.x, second.x, third.x) / determinant, SIMD3(first.y, second.y, third.y) / determinant,
                    SIMD3(first.z, second.z, third.z) / determinant)
            }

            private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
                SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
            }
        }
    }
#endif
