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
                invert, flatten[:RRGGBB], border:WIDTH,RRGGBBAA, overlay:RRGGBBAA,FRACTION, pixelate:SIDE, \
                trim[:THRESHOLD[,RRGGBB]], \
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
            do throws(ImageError) {
                transformer = try StandardTransformer(parsing: text)
            } catch {
                throw ValidationError(error.message)
            }
        }
    }
#endif
