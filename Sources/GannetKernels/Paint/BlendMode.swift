import CGannetKernels

/// How a source is put over a backdrop: Porter and Duff's operators and the modes of W3C "Compositing and Blending Level 1".
public enum BlendMode: String, Hashable, Sendable, CaseIterable {
    /// Porter and Duff: nothing at all, the source alone, the backdrop alone.
    case clear, source, destination
    /// Source over.
    case normal
    /// Porter and Duff's other operators; `plus` adds both, up to the maximum.
    case destinationOver, sourceIn, destinationIn, sourceOut, destinationOut, sourceAtop, destinationAtop, xor, plus
    /// Colours are mixed channel by channel (the separable modes).
    case multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, softLight, hardLight, difference, exclusion
    /// The named part of the source with the rest of the backdrop; `color` is hue and saturation together (the non-separable
    /// modes).
    case hue, saturation, color, luminosity

    /// Mixes colours and leaves shapes alone, unlike Porter and Duff's operators.
    package var mixesColors: Bool { self == .normal || kernelMode >= Self.multiply.kernelMode }

    var kernelMode: Int32 {
        let mode: gannet_blend_mode =
            switch self {
            case .clear: gannet_blend_clear
            case .source: gannet_blend_source
            case .destination: gannet_blend_destination
            case .normal: gannet_blend_source_over
            case .destinationOver: gannet_blend_destination_over
            case .sourceIn: gannet_blend_source_in
            case .destinationIn: gannet_blend_destination_in
            case .sourceOut: gannet_blend_source_out
            case .destinationOut: gannet_blend_destination_out
            case .sourceAtop: gannet_blend_source_atop
            case .destinationAtop: gannet_blend_destination_atop
            case .xor: gannet_blend_xor
            case .plus: gannet_blend_plus
            case .multiply: gannet_blend_multiply
            case .screen: gannet_blend_screen
            case .overlay: gannet_blend_overlay
            case .darken: gannet_blend_darken
            case .lighten: gannet_blend_lighten
            case .colorDodge: gannet_blend_color_dodge
            case .colorBurn: gannet_blend_color_burn
            case .softLight: gannet_blend_soft_light
            case .hardLight: gannet_blend_hard_light
            case .difference: gannet_blend_difference
            case .exclusion: gannet_blend_exclusion
            case .hue: gannet_blend_hue
            case .saturation: gannet_blend_saturation
            case .color: gannet_blend_color
            case .luminosity: gannet_blend_luminosity
            }
        return Int32(mode.rawValue)
    }
}
