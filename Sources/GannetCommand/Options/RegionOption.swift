#if CommandLine
    import ArgumentParser
    import GannetCore

    /// `--region`
    struct RegionOption: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "This part of the upright image alone, in its pixels: from X,Y on, W wide and H high. Of JPEG, PNG, TIFF, JPEG 2000, and HEIC and AVIF in tiles, nothing else is decoded.",
                valueName: "x,y,w,h"), transform: RegionArgument.init(parsing:))
        var region: RegionArgument?
    }

    /// `X,Y,W,H` in pixels.
    struct RegionArgument: Equatable {
        var part: PixelRect

        init(parsing text: String) throws {
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
            guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2], let height = numbers[3],
                PixelSize(width: width, height: height) != nil
            else { throw ValidationError("a region is X,Y,WIDTH,HEIGHT in pixels, like 100,50,400,300.") }
            part = PixelRect(x: x, y: y, width: width, height: height)
        }
    }
#endif
