#if Links
    import FoundationEssentials
    import GannetCore
    import GannetFetch

    /// The images that a page names as its own, the best first.
    ///
    /// In this order: Open Graph (`og:image`), Twitter's cards (`twitter:image`), `link rel="image_src"`, microdata
    /// (`itemprop="image"`), schema.org in JSON-LD, and the icons of the page, the largest first.
    struct PageImages {
        private enum Rank: Int {
            case openGraph, card, link, microdata, linkedData, icon, vectorIcon
        }

        private struct Candidate {
            var rank: Rank
            /// In pixels; 0: not said.
            var width = 0
            var text: String
        }

        private var candidates: [Candidate] = []
        private var base: String?
        /// More are never looked at; a page may name thousands.
        private static let maximumCandidates = 64

        /// Elements of the page, in their order. Takes what `meta`, `link` and `base` say.
        mutating func take(_ element: HTMLElement) {
            switch element.name {
            case "base":
                // The first one holds (HTML §4.2.3).
                if base == nil { base = element["href"] }
            case "meta": takeMeta(element)
            case "link": takeLink(element)
            default: break
            }
        }

        private mutating func takeMeta(_ element: HTMLElement) {
            guard let content = element["content"] else { return }
            if element.words("itemprop").contains("image") { add(.microdata, content) }
            // Open Graph is written with `property`, cards with `name`; pages mix them up.
            for property in Set([element["property"], element["name"]].compactMap { $0?.lowercased() }) {
                switch property {
                case "og:image", "og:image:url": add(.openGraph, content)
                case "og:image:secure_url":
                    // The same image as the one before it, over TLS.
                    if let last = candidates.lastIndex(where: { $0.rank == .openGraph }) { candidates.remove(at: last) }
                    add(.openGraph, content)
                case "twitter:image", "twitter:image:src": add(.card, content)
                default: break
                }
            }
        }

        private mutating func takeLink(_ element: HTMLElement) {
            guard let href = element["href"] else { return }
            let relations = element.words("rel")
            if relations.contains("image_src") { add(.link, href) }
            if element.words("itemprop").contains("image") { add(.microdata, href) }
            guard relations.contains(where: { ["icon", "apple-touch-icon", "apple-touch-icon-precomposed"].contains($0) }) else {
                return
            }
            let isVector = element["type"]?.lowercased().hasPrefix("image/svg") == true || element.words("sizes").contains("any")
            let widths = element.words("sizes").compactMap { $0.split(separator: "x").first.flatMap { Int($0) } }
            // Icons for home screens have 180 pixels where nothing else is said, those of tabs 16 to 32.
            let usual = relations.contains("icon") ? 16 : 180
            add(isVector ? .vectorIcon : .icon, href, width: min(max(widths.max() ?? usual, 0), 1 << 14))
        }

        /// A `script` of the type `application/ld+json`.
        mutating func takeLinkedData(_ text: [UInt8]) {
            for image in LinkedData.images(in: text) { add(.linkedData, image) }
        }

        private mutating func add(_ rank: Rank, _ text: String, width: Int = 0) {
            let text = URLEscapes.trimmed(text)
            guard !text.isEmpty, candidates.count < Self.maximumCandidates else { return }
            candidates.append(Candidate(rank: rank, width: width, text: text))
        }

        /// Their URLs, each once, with `/favicon.ico` at the end, where every browser looks.
        ///
        /// - Parameter page: the URL that the page came from, after redirects.
        func urls(from page: URL) -> [URL] {
            let base = base.flatMap { URL(asWritten: $0, relativeTo: page)?.absoluteURL } ?? page
            let ordered = candidates.enumerated().sorted {
                let (left, right) = ($0.element, $1.element)
                if left.rank != right.rank { return left.rank.rawValue < right.rank.rawValue }
                if left.width != right.width { return left.width > right.width }
                return $0.offset < $1.offset
            }
            var seen: Set<String> = []
            return (ordered.map(\.element.text).map { ($0, base) } + [("/favicon.ico", page)])
                .compactMap { text, base in URL(asWritten: text, relativeTo: base)?.absoluteURL }
                .filter { ["http", "https", "data"].contains($0.scheme?.lowercased() ?? "") }
                .filter { seen.insert(ImageSource.url($0).keyText).inserted }
        }
    }
#endif
