#if CommandLine && Server && PNG && SVG
    import Foundation
    import Gannet
    import GannetCommandTestSupport
    import GannetCore
    import GannetImages
    import Testing

    @testable import GannetServer
    @testable import gannet

    /// Drawings of strangers that name files and inner servers. # is the address of a server that would be reached, ~ a file that exists.
    struct ServeDrawingTests {
        private static let parts = [
            "<image xlink:href='#/a.png' width='8' height='8'/>", "<image href='#/a.svg' width='8' height='8'/>",
            "<image xlink:href='file://~' width='8' height='8'/>", "<image href='~' width='8' height='8'/>",
            "<image xlink:href='text:~' width='8' height='8'/>", "<image xlink:href='msl:~' width='8' height='8'/>",
            "<image xlink:href='jar:#/!/a' width='8' height='8'/>", "<image xlink:href='gopher:#/_GET' width='8' height='8'/>",
            "<image xlink:href='expect://id' width='8' height='8'/>", "<image xlink:href='vid:~' width='8' height='8'/>",
            "<use xlink:href='#/a.svg#b'/>", "<use href='~#b'/>",
            "<pattern id='p' xlink:href='#/a.svg#p'/><rect width='8' height='8' fill='url(&#35;p)'/>",
            "<linearGradient id='g' xlink:href='file://~#g'/><rect width='8' height='8' fill='url(&#35;g)'/>",
            "<rect width='8' height='8' fill='url(#/a.svg#p)'/>", "<rect width='8' height='8' style='fill:url(#/a.svg&#35;p)'/>",
            "<rect width='8' height='8' clip-path='url(#/a.svg#c)' mask='url(~#m)' filter='url(#/a.svg#f)'/>",
            "<filter id='f'><feImage xlink:href='#/a.png'/></filter><rect width='8' height='8' filter='url(&#35;f)'/>",
            "<style>@import url(#/a.css);</style>", "<style>@import '#/a.css';</style>",
            "<style>@font-face{font-family:a;src:url(#/a.woff)}text{font-family:a}</style><text y='8'>a</text>",
            "<style>rect{fill:url(#/a.svg);cursor:url(#/a.cur)}</style><rect width='8' height='8'/>",
            "<link xmlns='http://www.w3.org/1999/xhtml' rel='stylesheet' href='#/a.css' type='text/css'/>",
            "<script href='#/a.js'/>", "<script>fetch('#/a')</script>", "<a href='#/a'><rect width='8' height='8'/></a>",
            "<foreignObject width='8' height='8'><iframe xmlns='http://www.w3.org/1999/xhtml' src='#/a'/></foreignObject>",
            "<foreignObject width='8' height='8'><img xmlns='http://www.w3.org/1999/xhtml' src='#/a.png'/></foreignObject>",
            "<foreignObject width='8' height='8'><object xmlns='http://www.w3.org/1999/xhtml' data='file://~'/></foreignObject>",
            "<set attributeName='href' to='#/a'/>", "<animate attributeName='href' values='#/a'/>",
            "<cursor xlink:href='#/a.png'/>",
            "<include xmlns='http://www.w3.org/2001/XInclude' href='#/a.svg'/>", "<tref xlink:href='#/a.svg#t'/>",
            "<include xmlns='http://www.w3.org/2001/XInclude' parse='text' href='file://~'/>",
            "<altGlyph xlink:href='#/a.svg#g'/>",
            "<color-profile xlink:href='#/a.icc' name='a'/><rect width='8' height='8' fill='&#35;f00 icc-color(a, 1)'/>",
            "<image xlink:href='data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 xmlns:x=%22http://www.w3.org/1999/xlink%22%3E%3Cimage x:href=%22#/a%22/%3E%3C/svg%3E' width='8' height='8'/>",
        ]

        private static let heads = [
            "<?xml-stylesheet href='#/a.css' type='text/css'?>", "<?xml-stylesheet href='#/a.xsl' type='text/xsl'?>",
            "<!DOCTYPE svg SYSTEM '#/a.dtd'>", "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' '#/svg11.dtd'>",
            "<!DOCTYPE svg [<!ENTITY e SYSTEM '#/a'>]>", "<!DOCTYPE svg [<!ENTITY e SYSTEM 'file://~'>]>",
            "<!DOCTYPE svg [<!ENTITY e SYSTEM 'expect://id'>]>", "<!DOCTYPE svg [<!ENTITY % p SYSTEM '#/a.dtd'> %p;]>",
            "<!DOCTYPE svg [<!ENTITY % f SYSTEM 'file://~'><!ENTITY % p SYSTEM '#/a.dtd'> %p; %f;]>",
            "<!DOCTYPE svg [<!ENTITY e PUBLIC 'a' '#/a'>]>",
            "<!DOCTYPE svg [<!NOTATION n SYSTEM '#/a'><!ENTITY e SYSTEM '~' NDATA n>]>",
        ]

        private static func drawing(_ head: String, _ part: String) -> String {
            "\(head)<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' width='8' height='8'>\(part)</svg>"
        }

        @Test(
            .timeLimit(.minutes(10)),
            arguments: parts.map { drawing("", $0) } + heads.map { drawing($0, "<text y='8'>&e;</text>") }
                + heads.map { drawing($0, "<rect width='8' height='8'/>") })
        func nothingThatADrawingNamesIsReached(_ drawing: String) async throws {
            let inner = PictureServer { _ in PictureServer.response("200 OK", [], Array("rect { fill: red }".utf8)) }
            let tool = try Tool()
            // One that nobody can open without waiting: a service that opens it does not answer.
            let file = tool.path("secret")
            #expect(mkfifo(file, 0o600) == 0)
            let text = drawing.replacing("#/", with: inner.url("/")).replacing("~", with: file)
            let server = PictureServer(PictureServer.picture(Array(text.utf8)))
            var options = StandardOptions()
            options.cacheDirectory = nil
            let manager = try Assembly.manager(options, policy: ThumbnailService.policy(defaultLifetime: .seconds(1000)))
            let service = ThumbnailService(
                ThumbnailService.Configuration(policy: SourcePolicy(hosts: ["127.0.0.1"], allowsCostly: true)), manager: manager)
            let answer = await service.respond(to: .init(target: "/_/w:8/f:png/plain/\(server.url("/a.svg"))"))
            #expect([200, 415].contains(answer.status), "\(String(decoding: answer.body, as: UTF8.self))")
            #expect(server.requests.count == 1 && inner.requests.isEmpty)
        }

        /// 10¹² letters, for whoever expands them.
        @Test(.timeLimit(.minutes(10))) func entitiesThatMultiplyAreRefused() async throws {
            var entities = "<!ENTITY e0 'aaaaaaaaaa'>"
            for level in 1...11 { entities += "<!ENTITY e\(level) '\(String(repeating: "&e\(level - 1);", count: 10))'>" }
            let text = Self.drawing("<!DOCTYPE svg [\(entities)]>", "<text>&e11;</text>")
            let server = PictureServer(PictureServer.picture(Array(text.utf8)))
            var options = StandardOptions()
            options.cacheDirectory = nil
            let manager = try Assembly.manager(options, policy: ThumbnailService.policy(defaultLifetime: .seconds(1000)))
            let service = ThumbnailService(
                ThumbnailService.Configuration(policy: SourcePolicy(hosts: ["127.0.0.1"], allowsCostly: true)), manager: manager)
            let answer = await service.respond(to: .init(target: "/_/w:8/f:png/plain/\(server.url("/a.svg"))"))
            #expect([413, 415].contains(answer.status))
        }
    }
#endif
