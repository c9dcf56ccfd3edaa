#if GTK
    package import GannetCodecs
    import GannetCore

    /// Facts about an image under one heading.
    package struct InfoGroup: Equatable {
        package struct Row: Equatable {
            package var name: String
            package var value: String
        }

        package var title: String
        package var rows: [Row] = []

        init(_ title: String) { self.title = title }

        mutating func add(_ name: String, _ value: String?) {
            if let value { rows.append(Row(name: name, value: value)) }
        }
    }

    /// The texts of the panel, for each of its groups.
    package enum InfoFacts {
        static func file(_ item: GalleryItem, format: ImageFormat? = nil) -> InfoGroup {
            var group = InfoGroup("File")
            group.add("Name", item.name)
            group.add("Place", item.request.source.redactedDescription)
            group.add("Format", format?.identifier)
            return group
        }

        static func image(_ loaded: LoadedImage) -> InfoGroup {
            var group = InfoGroup("Image")
            let metadata = loaded.image.metadata
            let whole = metadata.originalSize
            group.add("Pixels", "\(whole.width) × \(whole.height)")
            if loaded.size != whole { group.add("Decoded at", "\(loaded.size.width) × \(loaded.size.height)") }
            if case .animated(let animation) = loaded.image {
                group.add("Frames", String(animation.frameCount))
                group.add("Plays", animation.loopCount == 0 ? "for ever" : "\(animation.loopCount) times")
            }
            if metadata.isPartial { group.add("State", "incomplete: the file ends early") }
            return group
        }

        package static func camera(_ camera: CameraFacts) -> InfoGroup {
            var group = InfoGroup("Camera")
            group.add("Model", camera.camera)
            group.add("Lens", camera.lens)
            group.add("Taken", camera.taken)
            group.add("Exposure", camera.exposureTime.map(seconds))
            group.add("Aperture", camera.aperture.map { "f/" + $0.decimal(places: 1) })
            group.add("Sensitivity", camera.sensitivity.map { "ISO \($0)" })
            group.add("Focal length", camera.focalLength.map { $0.decimal(places: 1) + " mm" })
            return group
        }

        /// `1/250 s`, `2.5 s`.
        private static func seconds(_ seconds: Double) -> String {
            if seconds >= 0.4 || seconds < 1e-6 { return seconds.decimal(places: 1) + " s" }
            return "1/" + (1 / seconds).decimal(places: 0) + " s"
        }

        static func load(_ loaded: LoadedImage, isInMemory: Bool) -> InfoGroup {
            var group = InfoGroup("Load")
            group.add("From", loaded.origin.rawValue + (loaded.wasJoined ? ", shared with another load" : ""))
            let times = loaded.timings
            for (name, time) in [
                ("Total", times.total), ("Cache", times.cache), ("Bytes", times.load), ("Decode", times.decode),
                ("Transform", times.transform), ("Store", times.store),
            ] where time >= .microseconds(50) {
                group.add(name, Readable.time(time))
            }
            let freshness = loaded.freshness
            let use =
                freshness.freshUntil == nil ? "for ever" : "for a time" + (freshness.etag == nil ? "" : ", can be revalidated")
            group.add("Fresh", use)
            if freshness.forbidsStoring { group.add("Storing", "forbidden by the server") }
            group.add("Memory cache", isInMemory ? "has it" : "does not have it")
            return group
        }

        static func failure(_ error: ImageError) -> InfoGroup {
            var group = InfoGroup("Load")
            group.add("Failed", error.message)
            group.add("Code", error.code.name)
            return group
        }
    }
#endif
