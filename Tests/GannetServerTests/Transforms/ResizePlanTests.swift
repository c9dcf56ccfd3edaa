#if CommandLine && Server
    import GannetCore
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// Rules that hold for every address and every source.
    struct ResizePlanTests {
        private func options(_ path: String) throws -> ProcessingOptions {
            try ThumbnailAddress("/_/\(path)/plain/http://a.org/b").options
        }

        private static let sources = [(1, 1), (40, 20), (20, 40), (7, 3), (640, 480), (5000, 10), (10, 5000), (333, 333)]
        private static let boxes = ["w:20", "h:30", "w:20/h:30", "w:30/h:20", "w:1/h:1", "w:2000/h:2", "w:500/h:500", "w:0"]

        /// A size that the decoder makes alone is the size of the plan.
        @Test func targetsAndPlansAgree() throws {
            var count = 0
            for box in Self.boxes {
                for mode in ["fit", "fill", "force", "fill-down", "auto"] {
                    for more in [
                        "dpr:1", "dpr:0.5", "dpr:2", "el:1", "el:1/dpr:1.5", "ex:1", "ex:1/dpr:0.5", "z:0.5", "bg:fff/g:no",
                    ] {
                        let options = try options("\(box)/rt:\(mode)/\(more)")
                        // The service refuses larger boxes before it looks at a source.
                        guard max(options.leastSides.width, options.leastSides.height) <= 2048 else { continue }
                        guard case .target(let target) = options.decoding(maximumSide: 2048) else { continue }
                        count += 1
                        for (width, height) in Self.sources {
                            let source = PixelSize(clamping: width, height)
                            let plan = ResizePlan(options, source: source, isVector: false, limit: 2048)
                            let made = target.outputSize(for: source)
                            // Each rounds once more than the other somewhere.
                            #expect(
                                abs(made.width - plan.kept.width) <= 1 && abs(made.height - plan.kept.height) <= 1,
                                "\(box)/rt:\(mode)/\(more), \(source): \(made), \(plan.kept)")
                        }
                    }
                }
            }
            #expect(count > 100)
        }

        /// The places that imgproxy 4 gives: a middle of whole pixels, halves of offsets to the even number.
        @Test func middlesAreThoseOfImgproxy() throws {
            func origin(_ gravity: String, _ room: Int, ratio: Double = 1) throws -> Int {
                let outer = PixelSize(clamping: 50 + room, 50)
                return try options("g:\(gravity)").gravity.origin(of: PixelSize(clamping: 50, 50), in: outer, ratio: ratio).x
            }
            #expect(try (0...9).map { try origin("ce", $0) } == [0, 1, 2, 2, 2, 3, 4, 4, 4, 5])
            #expect(try origin("ce:10", 150) == 86 && origin("ce:-5", 20, ratio: 0.5) == 8)
            #expect(try origin("we:5", 20, ratio: 0.5) == 2 && origin("ea:7", 20, ratio: 0.5) == 16)
            #expect(try origin("fp:0.5:0.5", 25) == 13 && origin("fp:0.7:0.5", 50) == 45)
        }

        /// No result is larger than the service allows, nor than the source, unless the address says so.
        @Test func resultsHaveBounds() throws {
            for box in Self.boxes {
                for mode in ["fit", "fill", "force", "fill-down", "auto"] {
                    for more in ["dpr:2", "z:3", "el:1/dpr:8", "mw:300", "mh:9/el:1", "exar:1", "ex:1", "mrd:100"] {
                        let options = try options("\(box)/rt:\(mode)/\(more)")
                        for (width, height) in Self.sources {
                            let source = PixelSize(clamping: width, height)
                            let plan = ResizePlan(options, source: source, isVector: false, limit: options.limitedSide(1000))
                            let output = plan.output(options)
                            #expect(max(output.width, output.height) <= options.limitedSide(1000))
                            #expect(plan.kept.width <= plan.scaled.width && plan.kept.height <= plan.scaled.height)
                            if !options.enlarges, options.minimumWidth == nil {
                                #expect(plan.scaled.width <= source.width && plan.scaled.height <= source.height)
                            }
                        }
                    }
                }
            }
        }

        /// Every decoder can be told the size of a drawing.
        @Test func drawingsAreAlwaysEnlarged() throws {
            let source = PixelSize(clamping: 40, 20)
            let plan = ResizePlan(try options("w:80/h:80/rt:fill/dpr:2/pd:1"), source: source, isVector: true, limit: 2048)
            #expect(plan.scaled == PixelSize(clamping: 320, 160) && plan.kept == PixelSize(clamping: 160, 160) && plan.ratio == 2)
        }

        @Test func placesHaveARatioAndAnEnd() {
            let (inner, outer) = (PixelSize(clamping: 4, 4), PixelSize(clamping: 40, 20))
            func origin(_ kind: Gravity.Kind, _ x: Double, _ y: Double, ratio: Double = 1, outside: Bool = false) -> [Int] {
                let gravity = Gravity(kind: kind, offsetX: x, offsetY: y)
                let origin = gravity.origin(of: inner, in: outer, ratio: ratio, allowsOutside: outside)
                return [origin.x, origin.y]
            }
            #expect(origin(.edge(x: 0, y: 0), 3, 0.5) == [3, 10])
            #expect(origin(.edge(x: 0, y: 0), 3, 0.5, ratio: 2) == [6, 10])
            #expect(origin(.edge(x: 1, y: 1), 3, 1) == [33, 15])
            #expect(origin(.edge(x: 0.5, y: 0.5), -3, 1) == [15, 9])
            #expect(origin(.edge(x: 0, y: 1), -5, -5) == [0, 16])
            #expect(origin(.edge(x: 0, y: 1), -5, -5, outside: true) == [-3, 19])
            #expect(origin(.edge(x: 0, y: 0), 16_777_215, 16_777_215, ratio: 8) == [36, 16])
            #expect(origin(.point(x: 0, y: 0.5), 0, 0) == [0, 8] && origin(.attention, 0, 0) == [18, 8])
            // A larger image begins at the edge.
            #expect(Gravity.center.origin(of: outer, in: inner).x == 0)
        }
    }
#endif
