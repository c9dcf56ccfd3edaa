#if SVG
    import GannetCodecs
    import GannetCore
    import GannetImages
    import GannetTesting
    import Glibc
    import Testing

    @Suite("Drawing SVG") struct SVGDecoderTests {
        private func svg(_ attributes: String, _ inside: String) -> [UInt8] {
            Array(
                #"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \#(attributes)>\#(inside)</svg>"#
                    .utf8)
        }

        private func draw(
            _ bytes: [UInt8], limits: DecodeLimits = .standard, _ change: (inout DecodeOptions) -> Void = { _ in }
        ) throws(ImageError) -> DecodedImage {
            var options = DecodeOptions()
            options.limits = limits
            options.alpha = .straight
            change(&options)
            return try ImageDecoding(coders: CodersManager([SVGCoder()])).decode(
                ByteRope(bytes), options: ResolvedDecodeOptions(options))
        }

        private func pixel(_ image: DecodedImage, _ x: Int, _ y: Int) -> [UInt8] {
            let row = image.bitmap.row(y)
            return (0..<4).map { row[4 * x + $0] }
        }

        private func code(_ bytes: [UInt8], limits: DecodeLimits = .standard) -> ImageError.Code? {
            do {
                _ = try draw(bytes, limits: limits)
                return nil
            } catch { return error.code }
        }

        private let red: [UInt8] = [255, 0, 0, 255]
        private let clear: [UInt8] = [0, 0, 0, 0]

        // MARK: - Size

        // FM-12, PL-05
        @Test("It is drawn at the size asked for, larger and smaller", arguments: [5, 20, 64, 300])
        func drawnAtSize(width: Int) throws {
            let bytes = svg(#"width="20" height="10""#, ##"<rect width="10" height="10" fill="#f00"/>"##)
            let image = try draw(bytes) { $0.target = .size(.fit(width, 1000)) }
            #expect(image.size == PixelSize(width: width, height: (width + 1) / 2))
            // No seam, no smear: the edge in the middle stays an edge at every size.
            #expect(pixel(image, 0, 0) == red)
            if width % 2 == 0 { #expect(pixel(image, width / 2 - 1, 0) == red) }
            #expect(pixel(image, width - 1, 0) == clear)
            #expect(image.metadata.isVector)
        }

        @Test("The size is the document's, its view box's, or the one that CSS gives to what has none")
        func sizes() throws {
            let rect = ##"<rect x="2" y="1" width="5" height="4" fill="#f00"/>"##
            #expect(try draw(svg(#"width="1in" height="48""#, rect)).size == PixelSize(width: 96, height: 48))
            #expect(try draw(svg(#"viewBox="0 0 30 20""#, rect)).size == PixelSize(width: 30, height: 20))
            // The other side follows from the ratio (CSS Images 3, section 5.3).
            #expect(try draw(svg(#"width="60" viewBox="0 0 30 20""#, rect)).size == PixelSize(width: 60, height: 40))
            #expect(try draw(svg(#"height="1in" viewBox="0 0 30 20""#, rect)).size == PixelSize(width: 144, height: 96))
            #expect(try draw(svg(#"width="50%" viewBox="0 0 30 20""#, rect)).size == PixelSize(width: 30, height: 20))
            #expect(try draw(svg(#"width="10.2" height="9.5""#, rect)).size == PixelSize(width: 11, height: 10))
            // Without a view box a side that is missing is 300 or 150 (CSS 2.2, sections 10.3.2 and 10.6.2).
            #expect(try draw(svg("", rect)).size == PixelSize(width: 300, height: 150))
            #expect(try draw(svg(#"height="500""#, rect)).size == PixelSize(width: 300, height: 500))
            #expect(try draw(svg(#"width="50%" height="40""#, rect)).size == PixelSize(width: 300, height: 40))
            #expect(try draw(svg(#"width="10em""#, rect)).size == PixelSize(width: 160, height: 150))
            #expect(try draw(svg("", "")).size == PixelSize(width: 300, height: 150))
            #expect(code(svg(#"width="0" height="0""#, rect)) == .corrupt)
        }

        @Test("Without a box it has its own size, or a multiple of it", arguments: [1.0, 2, 0.5, 100])
        func ownSize(scale: Double) throws {
            let bytes = svg(#"width="1in" height="25.4mm" viewBox="0 0 10 10""#, ##"<rect width="10" height="10" fill="#f00"/>"##)
            var target = TargetSize.fit(4000, 4000)
            target.vectorScale = scale
            let side = min(Int(96 * scale), 4000)
            #expect(try draw(bytes) { $0.target = .size(target) }.size == PixelSize(width: side, height: side))
        }

        /// librsvg 2.54 knows the parts of a drop shadow, but not its one name.
        @Test(
            "A drop shadow is drawn",
            arguments: [
                ##"<feDropShadow dx="20" dy="0" stdDeviation="0" flood-color="#00f"/>"##,
                ##"<feDropShadow in="SourceGraphic" dx='20' stdDeviation="0" dy="0" style="flood-color:#00f"></feDropShadow>"##,
                ##"<feOffset dx="0" dy="0"/><feDropShadow dx="20" dy="0" stdDeviation="0" flood-color="#00f" result="a"/><feOffset in="a"/>"##,
                "<feDropShadow\n dx=\"20\"\n dy=\"0\" stdDeviation=\"0\" flood-color=\"#00f\"\n/>",
            ])
        func dropShadow(filter: String) throws {
            let bytes = svg(
                #"width="60" height="20""#,
                ##"<filter id="f" x="-1" y="-1" width="4" height="3">\##(filter)</filter><rect width="10" height="10" fill="#f00" filter="url(#f)"/>"##
            )
            let image = try draw(bytes)
            #expect(pixel(image, 5, 5) == red)
            #expect(pixel(image, 25, 5) == [0, 0, 255, 255])
            #expect(pixel(image, 15, 5) == clear)
        }

        // MARK: - Nothing from outside

        /// An existing file that would paint everything red.
        private func outside() throws -> (path: String, remove: () -> Void) {
            let path = "/tmp/gannet-svg-\(getpid())-\(UInt32.random(in: 0 ... .max)).svg"
            let file = try #require(fopen(path, "w"))
            let bytes = svg(#"width="8" height="8" id="x""#, ##"<rect id="r" width="8" height="8" fill="#f00"/>"##)
            fwrite(bytes, 1, bytes.count, file)
            fclose(file)
            return (path, { unlink(path) })
        }

        @Test("Files and addresses are not loaded")
        func external() throws {
            let (path, remove) = try outside()
            defer { remove() }
            let references = [path, "file://\(path)", "file:\(path)", "../..\(path)", "http://127.0.0.1:9/x.svg"]
            for reference in references {
                let insides = [
                    #"<image xlink:href="\#(reference)" width="8" height="8"/>"#,
                    #"<image href="\#(reference)" width="8" height="8"/>"#,
                    ##"<use xlink:href="\##(reference)#r"/>"##,
                    ##"<filter id="f"><feImage xlink:href="\##(reference)"/></filter><rect width="8" height="8" fill="#0000" filter="url(#f)"/>"##,
                    #"<include xmlns="http://www.w3.org/2001/XInclude" href="\#(reference)"/>"#,
                    ##"<rect width="8" height="8" fill="url(\##(reference)#r) none"/>"##,
                ]
                for inside in insides {
                    do throws(ImageError) {
                        let image = try draw(svg(#"width="8" height="8""#, inside))
                        #expect(pixel(image, 4, 4)[0] == 0, "\(inside)")
                    } catch {
                        // Refused is as good.
                        #expect(error.code == .corrupt, "\(inside): \(error)")
                    }
                }
            }
        }

        @Test("Styles of other files are not loaded")
        func externalStyle() throws {
            let (path, remove) = try outside()
            defer { remove() }
            let file = try #require(fopen(path, "w"))
            fputs("rect { fill: #f00 }", file)
            fclose(file)
            for rule in ["@import url(\(path));", "@import 'file://\(path)';"] {
                let style = "<style>\(rule)</style>" + ##"<rect width="8" height="8" fill="#00f"/>"##
                #expect(pixel(try draw(svg(#"width="8" height="8""#, style)), 4, 4) == [0, 0, 255, 255])
            }
            let instruction = Array("<?xml-stylesheet href='\(path)' type='text/css'?>".utf8)
            let rest = svg(#"width="8" height="8""#, ##"<rect width="8" height="8" fill="#00f"/>"##)
            #expect(pixel(try draw(instruction + rest), 4, 4) == [0, 0, 255, 255])
        }

        @Test("External entities are not loaded, inner ones are")
        func entities() throws {
            let (path, remove) = try outside()
            defer { remove() }
            let external = "<!DOCTYPE svg [<!ENTITY x SYSTEM 'file://\(path)'>]>"
            let body = svg(#"width="8" height="8""#, "<g>&x;</g>")
            do throws(ImageError) {
                let image = try draw(Array(external.utf8) + body)
                #expect(pixel(image, 4, 4) == clear)
            } catch { #expect(error.code == .corrupt) }
            let inner = Array("<!DOCTYPE svg [<!ENTITY x '#f00'>]>".utf8)
            let filled = svg(#"width="8" height="8""#, #"<rect width="8" height="8" fill="&x;"/>"#)
            #expect(pixel(try draw(inner + filled), 4, 4) == red)
        }

        // MARK: - Bombs

        @Test("Entities that multiply, depth and loops end") func recursion() throws {
            var declarations = "<!ENTITY a0 'aaaaaaaaaa'>"
            for level in 1...12 {
                declarations += "<!ENTITY a\(level) '\(String(repeating: "&a\(level - 1);", count: 10))'>"
            }
            let laughs = Array("<!DOCTYPE svg [\(declarations)]>".utf8) + svg(#"width="8" height="8""#, "<text>&a12;</text>")
            #expect(code(laughs) != nil)
            let deep = String(repeating: "<g>", count: 5000) + String(repeating: "</g>", count: 5000)
            #expect(code(svg(#"width="8" height="8""#, deep)) == .limitExceeded)
            // An element that uses itself draws nothing; one that uses ten that use ten … is stopped by librsvg's count.
            _ = try draw(svg(#"width="8" height="8""#, ##"<g id="a"><use xlink:href="#a"/></g>"##))
            var uses = ##"<g id="g0"><rect width="8" height="8"/></g>"##
            for level in 1...9 {
                let use = String(repeating: ##"<use xlink:href="#g\##(level - 1)"/>"##, count: 10)
                uses += #"<g id="g\#(level)">\#(use)</g>"#
            }
            #expect(code(svg(#"width="8" height="8""#, "<defs>\(uses)</defs>" + ##"<use xlink:href="#g9"/>"##)) == .limitExceeded)
        }

        @Test("Gigantic sizes are refused, or drawn small") func gigantic() throws {
            let huge = svg(#"width="1000000" height="1000000""#, #"<rect width="1000000" height="1000000" fill="red"/>"#)
            #expect(code(huge) == .limitExceeded)
            let image = try draw(huge) { $0.target = .size(.fit(10, 10)) }
            #expect(pixel(image, 9, 9) == red)
            #expect(code(svg(#"width="1e12" height="1""#, "<g/>")) == .limitExceeded)
            #expect(code(svg(#"width="40000" height="1""#, "<g/>")) == .limitExceeded)
            #expect(
                code(svg(#"width="101" height="100""#, "<g/>"), limits: DecodeLimits(maximumPixels: 10_000)) == .limitExceeded)
        }

        @Test("Documents that would take too much memory are refused before they are read") func elements() {
            let many = svg(#"width="8" height="8""#, String(repeating: "<g/>", count: 1000))
            var limits = DecodeLimits.standard
            limits.maximumDecodedBytes = 1 << 20
            #expect(code(many, limits: limits) == .limitExceeded)
            limits.maximumDecodedBytes = 3 << 20
            #expect(code(many, limits: limits) == nil)
        }

        @Test("Pictures inside are drawn, and count before they are decoded")
        func pictures() throws {
            // One red pixel as GIF.
            let gif = "R0lGODlhAQABAIAAAP8AAAAAACwAAAAAAQABAAACAkQBADs="
            func document(_ picture: String) -> [UInt8] {
                svg(#"width="8" height="8""#, #"<image width="8" height="8" xlink:href="\#(picture)"/>"#)
            }
            #expect(pixel(try draw(document("data:image/gif;base64,\(gif)")), 4, 4) == red)
            // The header of a PNG of 50,000 × 50,000 pixels.
            let png = "iVBORw0KGgoAAAANSUhEUgAAw1AAAMNQAQAAAAA="
            for picture in ["data:image/png;base64,\(png)", "&#100;ata:image/png;base64,\(png)", "&#x64;ata:;base64,\(png)"] {
                #expect(code(document(picture)) == .limitExceeded, "\(picture)")
            }
            let unknown = "data:image/tiff;base64,SUkqAAgAAAAAAAAAAAAAAAAAAAAAAAA="
            #expect(code(document(unknown)) == .unsupported)
        }

        @Test("What is damaged or no picture at all is refused") func refusals() {
            #expect(code(svg(#"width="8" height="8""#, "<g>")) == .corrupt)
        }
    }
#endif
