/// The curve by which light brighter than white becomes that of an image in standard range. It matters for PQ, HLG and files that are
/// light itself.
public enum ToneMapping: String, Hashable, Sendable, CaseIterable {
    /// ITU-R BT.2390: everything up to a knee stays as bright as it is, and only what is above is shrunk.
    case bt2390
    /// Method A of ITU-R BT.2446: all light is shrunk, so that bright parts keep more of their detail, and white becomes a grey. As
    /// broadcasters convert their programmes.
    case bt2446a
}
