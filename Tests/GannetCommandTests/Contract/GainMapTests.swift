#if CommandLine && PNG && JPEG && WebP
    import GannetCodecs
    import GannetCommandTestSupport
    import GannetCore
    import Testing

    // NW-01
    /// The command names gain maps, and keeps them.
    struct GainMapTests {
        let tool: Tool

        init() throws { tool = try Tool() }

        private func map(_ name: String) throws -> EncodedGainMap? {
            UltraHDR.gainMap(in: ByteRope(try tool.read(name)), limits: .standard)
        }

        @Test func infoNamesThem() async throws {
            let path = try tool.write(try Samples.ultraHDR(), "a.jpg")
            let object = try #require(try await tool.run("info", "--json", path).objects.first)
            let map = try #require(object["gainMap"] as? [String: Any])
            #expect(map["format"] as? String == "iso" && map["headroom"] as? Double ?? Double(map["headroom"] as? Int ?? 0) == 4)
            #expect(map["width"] as? Int == 60 && map["height"] as? Int == 40 && map["channels"] as? Int == 3)
            let text = try await tool.run("info", path).text
            #expect(text.contains("\(path): gain map 60×40 in colour, up to 4 times white (ISO 21496-1)\n"))
            let plain = try tool.write(try Samples.photo(), "b.jpg")
            #expect(try await tool.run("info", "--json", plain).objects.first?["gainMap"] == nil)
        }

        @Test func convertKeepsThemOrSaysWhyNot() async throws {
            let path = try tool.write(try Samples.ultraHDR(), "a.jpg")
            let kept = try await tool.run("convert", path, tool.path("small.jpg"), "--thumbnail", "120", "--keep-metadata")
            #expect(try kept.status == 0 && map("small.jpg")?.size == PixelSize(clamping: 30, 20) && kept.errors.isEmpty)
            let dropped = try await tool.run("convert", path, tool.path("plain.jpg"), "--no-gain-map")
            #expect(try dropped.status == 0 && map("plain.jpg") == nil && dropped.errors.isEmpty)
            let other = try await tool.run("convert", path, tool.path("a.webp"))
            #expect(other.status == 0 && other.errors.contains("its gain map was left out, because webp"))
            let blurred = try await tool.run("convert", path, tool.path("soft.jpg"), "--transform", "blur:4")
            #expect(try blurred.status == 0 && map("soft.jpg") == nil && blurred.errors.contains("because a transform changed"))
        }

        #if AVIF
            @Test func anAVIFHasThemToo() async throws {
                let path = try tool.write(try Samples.ultraHDR(), "a.jpg")
                let kept = try await tool.run("convert", path, tool.path("small.avif"), "--thumbnail", "120")
                #expect(kept.status == 0 && kept.errors.isEmpty)
                let object = try #require(try await tool.run("info", "--json", tool.path("small.avif")).objects.first)
                let map = try #require(object["gainMap"] as? [String: Any])
                #expect(map["format"] as? String == "iso" && map["width"] as? Int == 30 && map["channels"] as? Int == 3)
                let back = try await tool.run("convert", tool.path("small.avif"), tool.path("back.jpg"))
                #expect(try back.status == 0 && back.errors.isEmpty && self.map("back.jpg")?.size == PixelSize(clamping: 30, 20))
                let dropped = try await tool.run("convert", path, tool.path("plain.avif"), "--no-gain-map")
                #expect(dropped.status == 0 && dropped.errors.isEmpty)
                #expect(try await tool.run("info", "--json", tool.path("plain.avif")).objects.first?["gainMap"] == nil)
            }

            /// A map that makes the image darker: the numbers of the two renditions are exchanged.
            @Test func thoseOfBrightImagesAreNamedAndLost() async throws {
                _ = try await tool.run("convert", try tool.write(try Samples.ultraHDR(), "a.jpg"), tool.path("a.avif"))
                func millionths(_ stops: Int) -> [UInt8] {
                    [stops * 1_000_000, 1_000_000].flatMap { number in
                        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
                    }
                }
                var bytes = try tool.read("a.avif")
                let (plain, exchanged) = (millionths(0) + millionths(2), millionths(2) + millionths(0))
                let place = try #require(
                    (0..<bytes.count - 16).first { bytes[$0..<$0 + 16].elementsEqual(plain) })
                bytes.replaceSubrange(place..<place + 16, with: exchanged)
                let path = try tool.write(bytes, "bright.avif")
                #expect(try await tool.run("info", path).text.contains("gain map 60×40 in colour, down from 4 times white"))
                let object = try #require(try await tool.run("info", "--json", path).objects.first)
                #expect((object["gainMap"] as? [String: Any])?["base"] as? String == "high")
                for other in ["b.avif", "b.jpg"] {
                    let lost = try await tool.run("convert", path, tool.path(other))
                    #expect(lost.status == 0 && lost.errors.contains("because it belongs to an image that is brighter"))
                }
                let told = try await tool.run("fetch", path, "--explain").text
                #expect(told.contains("gain map 60×40 in colour, down from 4 times white"))
            }
        #endif

        @Test func explainTellsWhatLosesThem() async throws {
            let path = try tool.write(try Samples.ultraHDR(), "a.jpg")
            let told = try await tool.run("fetch", path, "--explain", "--transform", "blur:4").text
            #expect(told.contains("gain map: left out by blur@1(4)"))
            let kept = try await tool.run("fetch", path, "--explain", "--transform", "rotate:90").text
            #expect(!kept.contains("left out") && kept.contains("gain map 60×40 in colour"))
        }
    }
#endif
