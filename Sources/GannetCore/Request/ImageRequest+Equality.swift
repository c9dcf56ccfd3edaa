/// Equal: the same source, options and context.
///
/// Hooks (coders, loaders, caches, transformers, strategies) are equal if they are `Equatable` and say so, if they are one object, or
/// if they have one type and one identifier. A closure equals no other: requests with one are equal to their copies alone.
extension ImageRequest: Hashable {
    public static func == (left: ImageRequest, right: ImageRequest) -> Bool {
        left.schedule == right.schedule && left.decodeBox == right.decodeBox && left.cacheBox == right.cacheBox
            && left.downloadBox == right.downloadBox && left.transformBox == right.transformBox
            && left.context == right.context && left.source == right.source
    }

    /// By source and size, which tell most requests apart.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(source)
        hasher.combine(decode.target)
    }
}

extension CacheOptions: Equatable {
    public static func == (left: CacheOptions, right: CacheOptions) -> Bool {
        left.lookup == right.lookup && left.read == right.read && left.write == right.write
            && left.readOriginal == right.readOriginal && left.writeOriginal == right.writeOriginal
            && left.encode == right.encode && left.memoryExpiration == right.memoryExpiration
            && left.diskExpiration == right.diskExpiration && left.countsUses == right.countsUses
            && left.sharesSizes == right.sharesSizes && left.summarizes == right.summarizes
            && areSame(left.store, right.store) { $0.identifier }
            && areSame(left.originalStore, right.originalStore) { $0.identifier }
            && areSame(left.keyFilter, right.keyFilter) && areSame(left.serializer, right.serializer)
    }
}

extension DownloadOptions: Equatable {
    public static func == (left: DownloadOptions, right: DownloadOptions) -> Bool {
        left.headers == right.headers && left.method == right.method && left.cookies == right.cookies
            && left.credentialScope == right.credentialScope && left.credential == right.credential
            && left.alternatives == right.alternatives && left.lowDataSource == right.lowDataSource
            && left.deadlines == right.deadlines && areSame(left.loader, right.loader) { $0.identifier }
            && areSame(left.requestModifier, right.requestModifier) { $0.identifier }
            && areSame(left.responseModifier, right.responseModifier) { $0.identifier }
            && areSame(left.decryptor, right.decryptor) { $0.identifier }
            && areSame(left.redirectHandler, right.redirectHandler) { $0.identifier }
            && areSame(left.retry, right.retry) { $0.identifier }
    }
}

extension DecodeOptions: Equatable {
    public static func == (left: DecodeOptions, right: DecodeOptions) -> Bool {
        left.target == right.target && left.region == right.region && left.scale == right.scale && left.frames == right.frames
            && left.requireAnimated == right.requireAnimated && left.color == right.color
            && left.appliesOrientation == right.appliesOrientation && left.keeps16Bit == right.keeps16Bit
            && left.dynamicRange == right.dynamicRange && left.toneMapping == right.toneMapping
            && left.usesLinearLight == right.usesLinearLight && left.alpha == right.alpha
            && left.scaleDownToBytes == right.scaleDownToBytes
            && left.formatHint == right.formatHint && left.previews == right.previews
            && left.usesEmbeddedThumbnail == right.usesEmbeddedThumbnail && left.limits == right.limits
            && left.allowsPartial == right.allowsPartial && left.isolation == right.isolation
            && areSame(left.coder, right.coder) { $0.identifier }
    }
}

extension TransformOptions: Equatable {
    public static func == (left: TransformOptions, right: TransformOptions) -> Bool {
        left.appliesTo == right.appliesTo && areSame(left.appended, right.appended)
            && (left.transformers == nil) == (right.transformers == nil)
            && areSame(left.transformers ?? [], right.transformers ?? []) && areSame(left.modifier, right.modifier)
    }
}

private func areSame(_ left: [any ImageTransformer], _ right: [any ImageTransformer]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { areSame($0, $1) { $0.identifier } }
}

/// Whether two hooks do the same, as far as can be known.
private func areSame<Hook>(_ left: Hook?, _ right: Hook?, by identifier: (Hook) -> String? = { _ in nil }) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    if let left = left as? any Equatable { return left.isEqual(to: right) }
    let kind = type(of: left as Any)
    guard kind == type(of: right as Any) else { return false }
    if kind is AnyClass { return left as AnyObject === right as AnyObject }
    guard let name = identifier(left) else { return false }
    return name == identifier(right)
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}
