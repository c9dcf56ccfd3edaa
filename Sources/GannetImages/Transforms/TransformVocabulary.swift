// Exported because the transformers' signatures use `ResampleFilter` and `BlendMode`.
@_exported public import GannetKernels
