#if CommandLine
    import FoundationEssentials

    /// The graphics protocol of kitty, also supported by ghostty, WezTerm and Konsole.
    enum KittyGraphics {
        enum Payload {
            /// `f=100`
            case png([UInt8])
            /// `f=32`: red, green, blue, alpha.
            case pixels(StraightImage)
        }

        /// Shows an image at the cursor, which does not move; sending the same `number` again replaces the old image.
        static func encode(_ payload: Payload, number: UInt32) -> String {
            let header: String
            let data: Data
            switch payload {
            case .png(let bytes): (header, data) = ("f=100", Data(bytes))
            case .pixels(let image): (header, data) = ("f=32,s=\(image.width),v=\(image.height)", Data(image.bytes))
            }
            let text = [UInt8](data.base64EncodedData())
            var result = ""
            var start = 0
            repeat {
                let end = min(start + 4096, text.count)
                let keys = start == 0 ? "a=T,i=\(number),q=2,C=1,\(header),m=" : "m="
                result += "\u{1B}_G\(keys)\(end < text.count ? 1 : 0);" + String(decoding: text[start..<end], as: UTF8.self)
                result += "\u{1B}\\"
                start = end
            } while start < text.count
            return result
        }
    }
#endif
