#if CommandLine
    import GannetCore
    import GannetImages
    import Testing

    @testable import gannet

    /// Names of files whose formats are not built into the core: they come with the traits of a build.
    struct KnownFormatsTests {
        @Test func extensionsOfEveryCoderAreReplaced() {
            for format in Assembly.coders.formats {
                for ending in format.fileExtensions {
                    #expect(
                        OutputName(for: "in/a.\(ending.uppercased())", .png).text
                            == (format == .png ? "a.\(ending.uppercased())" : "a.png"))
                    #expect(KnownFormats.named(ending) != nil, "\(ending)")
                }
                #expect(KnownFormats.named(format.identifier) == format)
                for type in format.mimeTypes { #expect(KnownFormats.named(type) != nil, "\(type)") }
            }
            #expect(OutputName(for: "in/a.txt", .png).text == "a.txt.png")
        }

        @Test func foldersGiveImagesOfEveryCoderButNoVideosAndNoJSON() {
            for format in Assembly.coders.formats {
                let isVideo = ["mp4", "mov", "webm", "mkv", "avi"].contains(format.identifier)
                for ending in format.fileExtensions where ending != "json" {
                    #expect(KnownFormats.isOfImages(ending) == !isVideo, "\(ending)")
                }
            }
            for name in ["json", "txt", "raw", "radiance", "jpeg/x"] { #expect(!KnownFormats.isOfImages(name), "\(name)") }
            let missing = ImageFormat.builtIn.filter { !Assembly.coders.formats.contains($0) }
            for format in missing { #expect(!KnownFormats.isOfImages(format.identifier), "\(format)") }
        }

        @Test func aFormatThatIsOnlyReadIsNoOutput() throws {
            for format in Assembly.coders.formats where !FormatArgument.written.contains(format) {
                let ending = try #require(format.fileExtensions.first)
                #expect(throws: (any Error).self) { try FormatArgument.of(path: "a.\(ending)") }
            }
        }
    }
#endif
