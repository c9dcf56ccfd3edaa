#if CommandLine
    import ArgumentParser
    import GannetCore
    import GannetImages

    /// `--transform`, in the order given.
    struct TransformArguments: ParsableArguments {
        @Option(
            name: .customLong("transform"),
            help: ArgumentHelp(
                """
                Done in the order given; may be repeated: resize:WxH[,fit|fill|stretch] (one side may be left out), crop:X,Y,W,H, \
                rotate:DEGREES, flip:h|v|hv, round:RADIUS, circle, tint:RRGGBBAA, blur:RADIUS, sharpen[:RADIUS[,AMOUNT]], gray, bw, \
                invert, flatten[:RRGGBB], border:WIDTH,RRGGBBAA, overlay:RRGGBBAA,FRACTION, \
                color:brightness=…,contrast=…,saturation=…,exposure=…
                """, valueName: "spec"), transform: TransformArgument.init)
        var transforms: [TransformArgument] = []

        var transformers: [any ImageTransformer] { transforms.map(\.transformer) }

        var isEmpty: Bool { transforms.isEmpty }
    }

    /// One parsed `--transform`.
    struct TransformArgument: Sendable {
        var transformer: any ImageTransformer

        init(_ text: String) throws {
            do throws(ImageError) { transformer = try TransformSpec.parse(text) } catch { throw ValidationError(error.message) }
        }
    }

    /// `WxH` in pixels, each 1 … 16,777,215.
    struct Box: Equatable, ExpressibleByArgument {
        var width: Int
        var height: Int

        init?(argument: String) {
            let parts = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
            guard parts.count == 2, let width = parts[0], let height = parts[1], PixelSize(width: width, height: height) != nil
            else { return nil }
            self.width = width
            self.height = height
        }
    }

    /// A format that Gannet knows, by name, extension or MIME type.
    struct FormatArgument: ExpressibleByArgument {
        var format: ImageFormat

        init?(argument: String) {
            guard let format = ImageFormat.named(argument) else { return nil }
            self.format = format
        }
    }
#endif
