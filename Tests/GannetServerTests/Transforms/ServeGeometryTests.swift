#if CommandLine && HTTP && Server && PNG && JPEG
    import GannetCommandTestSupport
    import GannetCore
    import GannetImages
    import GannetTesting
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// Sizes and parts, measured in the images of the service. The source is the map: 40 × 20, and each pixel says its place.
    struct ServeGeometryTests {
        /// A part of the map in its own size: the place that its first pixel comes from.
        @Test(arguments: [
            // Offsets go away from the edge, and right and down from the middle.
            ("rs:fill:20:20/g:we:5", 20, 20, 5, 0), ("rs:fill:20:20/g:ea:5:0", 20, 20, 15, 0),
            ("rs:fill:20:20/g:ce:3", 20, 20, 13, 0), ("rs:fill:20:20/g:ce:-3", 20, 20, 7, 0),
            ("rs:fill:40:10/g:no:0:4", 40, 10, 0, 4), ("rs:fill:40:10/g:so:0:4", 40, 10, 0, 6),
            // Below 1 of the larger side; beyond the edge is at the edge.
            ("rs:fill:20:20/g:we:0.25", 20, 20, 10, 0), ("rs:fill:20:20/g:ea:100", 20, 20, 0, 0),
            // The ratio multiplies those of the result, and not those of a crop, which comes before.
            ("rs:fill:10:10/dpr:2/g:we:5", 20, 20, 10, 0), ("c:10:8:nowe:3:2/dpr:2", 10, 8, 3, 2),
            ("c:10:8:nowe:3:2", 10, 8, 3, 2), ("c:10:8:soea:3:2", 10, 8, 27, 10), ("c:10:8:ce:1:1", 10, 8, 17, 7),
            ("c:0.5:0.5:nowe:0.25:0.25", 20, 10, 10, 5), ("g:nowe:3:2/c:10:8", 10, 8, 3, 2),
            // fill-down: what is there, in the proportions of the box.
            ("rs:fill-down:80:80", 20, 20, 10, 0), ("rs:fill-down:100:20", 40, 8, 0, 6), ("rs:fill-down:40:10", 40, 10, 0, 6),
            ("rs:fill-down:80:80/g:ea", 20, 20, 20, 0), ("rs:fill:80:80", 40, 20, 0, 0),
            // A ratio for which the source has not enough pixels keeps the box's proportions.
            ("rs:fill:10:10/dpr:8", 20, 20, 10, 0), ("rs:fill:10:10/dpr:8/g:we", 20, 20, 0, 0),
            // A flip comes before gravity, as a turn does.
            ("rs:fill:20:20/g:we/fl:1", 20, 20, 39, 0), ("fl:0:1", 40, 20, 0, 19), ("c:10:8:nowe/fl:1:1", 10, 8, 39, 19),
            ("rot:-180/rs:fill:20:20/g:we", 20, 20, 39, 19), ("rot:540", 40, 20, 39, 19), ("fl:1/rot:180/fl:1:1", 40, 20, 0, 0),
        ])
        func aPartIsKept(options: String, width: Int, height: Int, x: Int, y: Int) async throws {
            let bitmap = try await DrawnService(try DrawnService.map()).bitmap(options)
            #expect(bitmap.width == width && bitmap.height == height, "\(options): \(bitmap.size)")
            #expect(Int(bitmap.row(0)[0]) == x * 4 && Int(bitmap.row(0)[1]) == y * 8, "\(options)")
        }

        /// A quarter turn and a flip, in this order: 20 × 40, and its first pixel.
        @Test(arguments: [("rot:90/fl:1", 0, 0), ("fl:0:1/rot:90", 39, 19), ("rot:270/fl:1", 39, 19), ("rot:270/fl:0:1", 0, 0)])
        func aFlipFollowsATurn(options: String, x: Int, y: Int) async throws {
            let bitmap = try await DrawnService(try DrawnService.map()).bitmap(options)
            #expect(bitmap.width == 20 && bitmap.height == 40)
            #expect(bitmap.text(0, 0) == PixelColor(red: UInt8(x * 4), green: UInt8(y * 8), blue: 0).hex.dropLast(2))
        }

        @Test(arguments: [
            ("z:0.5", 20, 10), ("z:0.5:1", 20, 20), ("zoom:2", 40, 20), ("z:2/el:1", 80, 40), ("w:20/z:0.5", 10, 5),
            ("w:10/z:2", 20, 10), ("rs:fill:20:20/z:0.5", 10, 10), ("w:10/z:2/dpr:2", 40, 20),
            ("w:10/mw:20", 10, 10), ("mw:80", 80, 40), ("min-height:30", 60, 30), ("rs:fit:10:10/mh:10", 10, 10),
            ("mw:20/w:10/dpr:2", 20, 20), ("mw:20", 40, 20),
            ("rs:auto:20:10", 20, 10), ("rs:auto:10:20", 10, 5), ("rs:auto:30:10", 30, 10), ("rt:auto/w:20", 20, 10),
            ("rs:force:20:0", 20, 20), ("rs:force:0:10", 40, 10), ("rs:force:80:10", 40, 5), ("rs:force:80:10:1", 80, 10),
            ("dpr:0.5", 20, 10), ("dpr:2", 40, 20), ("dpr:2/el:1", 80, 40), ("w:50/dpr:0.5", 25, 13), ("w:50/dpr:0.2", 10, 5),
            ("mrd:20", 20, 10), ("w:30/mrd:20", 20, 10), ("mrd:0", 40, 20), ("mrd:9999", 40, 20), ("pd:10/mrd:30", 30, 20),
            ("c:20:20/rs:fill-down:40:20", 20, 10), ("rot:90/z:0.5", 10, 20), ("ar:0/z:0.5", 20, 10),
        ])
        func sizes(options: String, width: Int, height: Int) async throws {
            let size = try await DrawnService(try DrawnService.map()).bitmap(options).size
            #expect(size.width == width && size.height == height, "\(options): \(size)")
        }

        /// The canvas is clear around the image, whose first pixel lies there.
        @Test(arguments: [
            ("rs:fit:60:60/ex:1", 60, 60, 10, 20), ("rs:fit:60:60:0:1:nowe:3:4", 60, 60, 3, 4),
            ("rs:fit:60:60/ex:1:soea:3:4", 60, 60, 17, 36), ("s:60:60:0:1:fp:0:0.5", 60, 60, 0, 20), ("w:60/ex:1", 60, 20, 10, 0),
            ("rs:fit:60:60/ex:1/dpr:2", 60, 60, 10, 20), ("rs:fit:60:60/ex:1:nowe:3:4/dpr:0.5", 30, 30, 2, 2),
            ("rs:fit:10:10/exar:1", 10, 10, 0, 3), ("rs:fit:80:80/extend_ar:1", 40, 40, 0, 10),
            ("rs:fit:80:80/extend_aspect_ratio:1:no", 40, 40, 0, 0), ("rs:fit:80:80/exar:1:so:0:5", 40, 40, 0, 15),
            ("rs:fit:20:80/exar:1", 20, 80, 0, 36), ("w:10/exar:1", 10, 5, 0, 0), ("rs:fit:80:80/exar:0", 40, 20, 0, 0),
            ("w:20/pd:1:2:3:4", 26, 14, 4, 1), ("w:20/pd:3/dpr:2", 52, 32, 6, 6),
            // The source has the pixels for a ratio of 1 alone: padding and image stay in proportion.
            ("w:40/pd:3/dpr:2", 46, 26, 3, 3), ("rs:fit:60:60/ex:1/pd:5/dpr:2", 70, 70, 15, 25),
            ("w:40/pd:3/dpr:2/el:1", 92, 52, 6, 6), ("w:20/z:2/pd:3", 46, 26, 3, 3),
        ])
        func aCanvas(options: String, width: Int, height: Int, x: Int, y: Int) async throws {
            let bitmap = try await DrawnService(try DrawnService.map()).bitmap(options)
            #expect(bitmap.width == width && bitmap.height == height, "\(options): \(bitmap.size)")
            #expect(bitmap.color(atX: x, y: y)?.alpha == 255)
            #expect(x == 0 || bitmap.text(x - 1, y) == "clear")
            #expect(y == 0 || bitmap.text(x, y - 1) == "clear")
        }

        @Test func theCanvasHasTheBackground() async throws {
            let bitmap = try await DrawnService(try DrawnService.map()).bitmap("rs:fit:60:60/ex:1/pd:2/bg:0f0")
            #expect(bitmap.text(0, 0) == "#00ff00" && bitmap.text(63, 63) == "#00ff00" && bitmap.text(12, 22) == "#000000")
        }

        /// Stored as 3:2 lying down, shown upright as 2:3.
        @Test(arguments: [("w:20", 20, 30), ("ar:1/w:20", 20, 30), ("ar:0/w:30", 30, 20), ("ar:0/z:1/rs:fill:15:10", 15, 10)])
        func theOrientationCanBeIgnored(options: String, width: Int, height: Int) async throws {
            let exif: [UInt8] =
                Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
            let photo = [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif + (try Samples.photo()).dropFirst(2)
            let size = try await DrawnService(photo, name: "a.jpg").bitmap(options).size
            #expect(size.width == width && size.height == height, "\(options): \(size)")
        }

        /// Options that depend on the source's size cost no signature; those that need all its pixels do.
        @Test func costs() throws {
            func isCostly(_ options: String) throws -> Bool {
                try ThumbnailAddress("/_/\(options)/plain/http://a.org/b").isCostly
            }
            for free in [
                "mw:9", "mh:9", "z:2", "rs:fill-down:1:1", "rt:auto", "g:no:1:1", "exar:1", "ar:0", "kcr:1", "eth:1", "mrd:9",
                "msr:9",
            ] {
                #expect(try !isCostly(free), "\(free)")
            }
            for costly in ["t:1", "pix:2", "c:1:1", "wm:1:re", "ph:1", "skp:png", "maf:2", "fl:1", "da:0"] {
                #expect(try isCostly(costly), "\(costly)")
            }
        }
    }
#endif
