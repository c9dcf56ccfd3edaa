#if Lottie
    import GannetCore

    extension LottieDocument {
        /// The animation for rlottie, drawn at this size: all of its layers as a composition within another one, which has the size, begins
        /// with frame 0, and has nothing else. Ends with a zero.
        ///
        /// rlottie would keep proportions, and leave a strip of half a pixel where the size was rounded.
        func drawn(at size: PixelSize, _ images: LottieImages) -> [UInt8] {
            var name = "all"
            while assets.contains(where: { $0.name == name }) { name += "." }
            var result: [UInt8] = []
            result.reserveCapacity(text.count + 1024)
            result +=
                "{\"v\":\"5.5\",\"fr\":\(frameRate),\"ip\":0,\"op\":\(allFrames),\"w\":\(size.width),\"h\":\(size.height),\"assets\":["
                .utf8
            for asset in assets {
                switch asset.content {
                case .composition(let place, _): Self.append(&result, asset.name, layers: text[place])
                case .embedded, .file:
                    guard let url = images.urls[asset.name] else { continue }
                    result += "{\"id\":".utf8
                    Self.append(&result, asset.name)
                    result += ",\"w\":\(asset.width),\"h\":\(asset.height),\"e\":1,\"p\":\"\(url)\"},".utf8
                }
            }
            Self.append(&result, name, layers: text[layers ?? 0..<0])
            result.removeLast()
            let scale = "[\(100 * Double(size.width) / width),\(100 * Double(size.height) / height)]"
            // Frames of the document begin where it says.
            result +=
                "],\"layers\":[{\"ddd\":0,\"ty\":0,\"refId\":\"\(name)\",\"ks\":{\"s\":{\"k\":\(scale)}},\"ip\":0,\"op\":\(allFrames),\"st\":\(-firstFrame)}]}"
                .utf8
            result.append(0)
            return result
        }

        private static func append(_ result: inout [UInt8], _ name: String, layers: ArraySlice<UInt8>) {
            result += "{\"id\":".utf8
            append(&result, name)
            result += ",\"layers\":".utf8
            result += layers
            result += "},".utf8
        }

        private static func append(_ result: inout [UInt8], _ text: String) {
            result.append(UInt8(ascii: "\""))
            for byte in text.utf8 {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"): result += [UInt8(ascii: "\\"), byte]
                case 0..<0x20: result += "\\u00\(Hexadecimal.text(of: [byte]))".utf8
                default: result.append(byte)
                }
            }
            result.append(UInt8(ascii: "\""))
        }
    }
#endif
