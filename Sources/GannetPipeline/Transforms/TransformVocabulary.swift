// `ResampleFilter` and `BlendMode` stand in the transformers' signatures: who imports the pipeline can name them.
@_exported public import GannetKernels
