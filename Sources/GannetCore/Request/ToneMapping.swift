/// The curve by which light brighter than white becomes that of an image in standard range. It matters for PQ, HLG and files that are
/// light itself.
public enum ToneMapping: String, Hashable, Sendable, CaseIterable {
    /// ITU-R BT.2390: everything up to a knee stays as bright as it is, and only what is above is shrunk.
    case bt2390
    /// Method A of ITU-R BT.2446: light is shrunk from dark parts on, so that bright ones keep more of their detail, and white becomes a
    /// grey; below a brightest light of some 400 cd/m² dark parts stay. As broadcasters convert their programmes.
    case bt2446a
}
