package import GannetCore
import GannetKernels

// One still at several sizes. Each image is what a decode of it alone gives, byte for byte.

extension ImageDecoding {
    /// One image for each of the targets. Nil: this file is decoded for each size alone, or the budget has no room for all now.
    package func decodeSizes(
        _ bytes: ByteRope, _ options: ResolvedDecodeOptions, at targets: [DecodeTarget], priority: LoadPriority
    ) throws(ImageError) -> [DecodedImage]? {
        guard options.region == nil else { return nil }
        var own = options.with(targets[0])
        own.otherTargets = Array(targets.dropFirst())
        let session = try open(bytes, own)
        guard session.isPlainStill else { return nil }
        if let images = try session.decodeByRows(priority) { return images }
        let areas = targets.map { options.with($0).scaledSize(for: session.header).area }
        return try decodeWhole(bytes, options, at: targets, priority, order: areas.indices.sorted { areas[$0] > areas[$1] })
    }

    /// A decoder may make small sizes alone, which costs little; the others are made of one whole image. Each target is asked, because
    /// whether one is small depends on both of its sides. `order`: the largest first; nothing is shared where that one is small, too.
    private func decodeWhole(
        _ bytes: ByteRope, _ options: ResolvedDecodeOptions, at targets: [DecodeTarget], _ priority: LoadPriority, order: [Int]
    ) throws(ImageError) -> [DecodedImage]? {
        var small: [(index: Int, session: DecodeSession)] = []
        var whole: DecodeSession?
        var rest: [Int] = []
        for index in order {
            let session = try open(bytes, options.with(targets[index]))
            if session.isWhole {
                whole = whole ?? session
                rest.append(index)
            } else {
                guard whole != nil else { return nil }
                small.append((index, session))
            }
        }
        guard let made = try whole?.decodeWhole(for: rest.map { targets[$0] }, priority) else { return nil }
        var images = Dictionary(uniqueKeysWithValues: zip(rest, made))
        for (index, session) in small {
            guard let room = try environment.budget.reserveInTurn(session.neededBytes, priority: priority) else { return nil }
            defer { withExtendedLifetime(room) {} }
            images[index] = try session.decode()
        }
        let all = targets.indices.compactMap { images[$0] }
        return all.count == targets.count ? all : nil
    }
}

extension DecodeSession {
    /// One image, of pixels, that nothing was done to before it is scaled.
    fileprivate var isPlainStill: Bool {
        animationFrames == nil && !header.isVector && !options.allowsPartial && options.alpha != .straight && highRange == nil
    }

    /// The decoder does not shrink.
    fileprivate var isWhole: Bool { layout.size == header.size }

    /// The decoder hands its rows to all sizes.
    fileprivate func decodeByRows(_ priority: LoadPriority) throws(ImageError) -> [DecodedImage]? {
        guard let decoder = decoder as? any MultiSizeDecoder else { return nil }
        let layouts = [layout] + decoder.otherLayouts
        guard layouts.count == options.otherTargets.count + 1 else { return nil }
        var sessions = [self]
        for (target, layout) in zip(options.otherTargets, layouts.dropFirst()) {
            sessions.append(try sibling(target, layout))
        }
        let bytes = layouts.reduce(0) { $0 + $1.byteCount }
        guard let room = try environment.budget.reserveInTurn(bytes, priority: priority) else { return nil }
        defer { withExtendedLifetime(room) {} }
        var buffers: [SizeBuffer] = []
        for layout in layouts { buffers.append(SizeBuffer(try PixelBuffer(layout, pool: environment.pool))) }
        try decoder.decodeSizes(into: buffers)
        var images: [DecodedImage] = []
        for (session, buffer) in zip(sessions, buffers) {
            images.append(.still(try session.finish(buffer.take(), gainMap), session.metadata))
        }
        return images
    }

    /// The image is decoded at its own size, and scaled for each target. Nil: the decoder shrinks.
    fileprivate func decodeWhole(for targets: [DecodeTarget], _ priority: LoadPriority) throws(ImageError) -> [DecodedImage]? {
        guard isWhole else { return nil }
        var sessions: [DecodeSession] = []
        for target in targets { sessions.append(try sibling(target, layout)) }
        guard let room = try environment.budget.reserveInTurn(layout.byteCount, priority: priority) else { return nil }
        defer { withExtendedLifetime(room) {} }
        var buffer = try PixelBuffer(layout, pool: environment.pool)
        try decoder.decodeFrame(at: 0, into: &buffer)
        guard buffer.layout.alpha != .straight else { return nil }
        try convertColors(&buffer)
        let whole = try frozen(buffer, gainMap)
        var images: [DecodedImage] = []
        for session in sessions { images.append(.still(try session.arranged(whole), session.metadata)) }
        return images
    }

    /// A session of another size, which has the same decoder and needs no bytes.
    private func sibling(_ target: DecodeTarget, _ layout: PixelLayout) throws(ImageError) -> DecodeSession {
        let session = DecodeSession(
            decoder: decoder, header: header, layout: layout, options: options.with(target), environment: environment,
            bytes: bytes, coder: coder, format: format)
        session.foundGainMap = gainMapOfFile
        try session.check()
        return session
    }
}
