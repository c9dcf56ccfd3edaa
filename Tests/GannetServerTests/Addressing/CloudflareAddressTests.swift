#if CommandLine && Server
    import FoundationEssentials
    import GannetCore
    import Testing

    @testable import GannetServer

    /// Addresses in Cloudflare's spelling mean what imgproxy's do.
    @Suite struct CloudflareAddressTests {
        @Test(arguments: [
            ("width=400", "w:400"), ("w=400,h=300,q=70,f=webp", "w:400/h:300/q:70/f:webp"),
            ("width=9,fit=scale-down", "w:9/rt:fit"),
            ("width=9,height=8,fit=cover", "w:9/h:8/rt:fill/el:1"), ("width=9,fit=contain", "w:9/rt:fit/el:1"),
            ("width=9,height=8,fit=crop", "w:9/h:8/rt:fill"), ("w=9,h=8,fit=squeeze", "w:9/h:8/rt:force/el:1"),
            ("w=9,h=8,fit=pad", "w:9/h:8/rt:fit/el:1/ex:1/bg:ffffff"),
            ("w=9,h=8,fit=pad,background=%23f08", "w:9/h:8/rt:fit/el:1/ex:1/bg:ff0088"),
            ("w=9,background=rgb(255%2C0%2C16)", "w:9/bg:ff0010"), ("w=9,background=rgb(1%202%203)", "w:9/bg:010203"),
            ("w=9,gravity=auto,fit=crop", "w:9/g:sm/rt:fill"), ("w=9,g=left", "w:9/g:we"), ("w=9,g=0.25x1", "w:9/g:fp:0.25:1"),
            ("w=9,dpr=2,anim=false", "w:9/dpr:2/da:1"), ("w=9,anim=true,format=auto,compression=fast", "w:9"),
            ("w=9,format=baseline-jpeg", "w:9/f:jpeg"), ("w=9,rotate=90,flip=hv", "w:9/rot:90/fl:1:1"),
            ("w=9,blur=20", "w:9/bl:10"),
            ("w=9,sharpen=2,contrast=1.5,saturation=0", "w:9/sh:2/co:1.5/sa:0"), ("w=9,metadata=none", "w:9/sm:1/kcr:0"),
            ("w=9,metadata=copyright", "w:9/sm:1/kcr:1"), ("w=9,metadata=keep", "w:9/sm:0"),
        ])
        func everyOption(_ theirs: String, _ options: String) throws {
            let address = try ThumbnailAddress("/cdn-cgi/image/\(theirs)/https://a.org/b%20c.jpg?d=e/f&g=h")
            let same = try ThumbnailAddress("/_/\(options)/plain/https://a.org/b%2520c.jpg%3Fd=e%2Ff&g=h")
            #expect(address.options == same.options && address.isCostly == same.isCostly)
            #expect(address.source == same.source && address.host == "a.org" && address.form == .cloudflare)
            #expect(address.signature == nil && !address.isInfo && address.route == "/cdn-cgi/image/{options}/{source}")
        }

        @Test(arguments: [
            "width", "width=", "width=auto", "width=9:9", "width=-1", "width=9,w=8", "fit=wide", "gravity=face",
            "gravity=0.5x1.5",
            "blur=0", "blur=251", "blur=x", "background=%23ff", "background=rgb(1%2C2)", "background=rgb(1%2C2%2C256)",
            "background=red",
            "metadata=some", "format=word", "onerror=redirect", "trim=10", "border=1", "brightness=2", "rotate=45", "", ",",
            "width=9,,",
            "quality=101", "compression=slow", "flip=x",
        ])
        func whatIsNotThereIsRefused(_ options: String) {
            let error = #expect(throws: ImageError.self) { try ThumbnailAddress("/cdn-cgi/image/\(options)/https://a.org/b.jpg") }
            #expect(error?.code == .misuse)
        }

        @Test(arguments: ["/cdn-cgi/image/", "/cdn-cgi/image/width=9", "/cdn-cgi/image/width=9/", "/cdn-cgi/image/width=9/b.jpg"])
        func aSourceIsNeeded(_ target: String) { #expect(throws: ImageError.self) { try ThumbnailAddress(target) } }

        @Test func oneSlashOfTwoIsEnough() throws {
            let address = try ThumbnailAddress("/cdn-cgi/image/width=9/https:/a.org/b.jpg")
            #expect(address.source == "https://a.org/b.jpg")
        }

        @Test func jsonIsTheDescription() throws {
            #expect(try ThumbnailAddress("/cdn-cgi/image/width=9,format=json/https://a.org/b.jpg").isInfo)
        }

        @Test func aSignatureCoversAllButItself() throws {
            let keys = SigningKeys(keys: [SigningKeys.Key(secret: Array("0123456789abcdef".utf8))])
            let target = "/cdn-cgi/image/width=9,fit=crop/https://a.org/b.jpg?c=d"
            let signed = try keys.sign(target)
            #expect(signed.hasPrefix("/cdn-cgi/image/sig=") && signed.hasSuffix(",width=9,fit=crop/https://a.org/b.jpg?c=d"))
            let address = try ThumbnailAddress(signed)
            let signature = try #require(address.signature)
            #expect(address.signedPart == target && keys.isRight(signature, of: address.signedPart))
            #expect(!keys.isRight(signature, of: "/cdn-cgi/image/width=8,fit=crop/https://a.org/b.jpg?c=d"))
        }

        @Test func whatIsShownHasNoSecrets() throws {
            let address = try ThumbnailAddress("/cdn-cgi/image/sig=ab,width=9/https://a.org/b.jpg?token=hidden")
            #expect(!address.shown.contains("hidden") && !address.shown.contains("sig=") && address.shown.contains("width=9"))
        }

        @Test func presetsAlone() throws {
            var presets = try Presets(parsing: "small=w:9")
            presets.areRequired = true
            #expect(throws: ImageError.self) {
                try ThumbnailAddress("/cdn-cgi/image/width=9/https://a.org/b.jpg", presets: presets)
            }
        }
    }
#endif
