// Assembly only: everything a program needs with one import.

@_exported public import GannetCodecs
@_exported public import GannetCore
@_exported public import GannetPipeline

#if HTTP
    @_exported public import GannetHTTP
#endif
