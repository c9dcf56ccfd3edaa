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
            result.reserveCapacity(text.count + 8 * silentCount + 1024)
            result +=
                "{\"v\":\"5.5\",\"fr\":\(frameRate),\"ip\":0,\"op\":\(allFrames),\"w\":\(size.width),\"h\":\(size.height),\"assets\":["
                .utf8
            for asset in assets {
                switch asset.content {
                case .composition(let place, let work): append(&result, asset.name, layers: place, work.silent)
                case .embedded, .file:
                    guard let url = images.urls[asset.name] else { continue }
                    result += "{\"id\":".utf8
                    Self.append(&result, asset.name)
                    result += ",\"w\":\(asset.width),\"h\":\(asset.height),\"e\":1,\"p\":\"\(url)\"},".utf8
                }
            }
            append(&result, name, layers: layers ?? 0..<0, silent)
            result.removeLast()
            let scale = "[\(100 * Double(size.width) / width),\(100 * Double(size.height) / height)]"
            // Frames of the document begin where it says.
            result +=
                "],\"layers\":[{\"ddd\":0,\"ty\":0,\"refId\":\"\(name)\",\"ks\":{\"s\":{\"k\":\(scale)}},\"ip\":0,\"op\":\(allFrames),\"st\":\(-firstFrame)}]}"
                .utf8
            result.append(0)
            return result
        }

        /// rlottie takes a layer that does not say so for a three-dimensional one, whose rotation it does not animate.
        private func append(_ result: inout [UInt8], _ name: String, layers: Range<Int>, _ silent: [Int]) {
            result += "{\"id\":".utf8
            Self.append(&result, name)
            result += ",\"layers\":".utf8
            var start = layers.lowerBound
            for place in silent {
                result += text[start..<place]
                result += "\"ddd\":0,".utf8
                start = place
            }
            result += text[start..<layers.upperBound]
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
