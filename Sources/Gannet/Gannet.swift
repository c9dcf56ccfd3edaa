// Assembly only: everything a program needs with one import.

@_exported public import GannetCache
@_exported public import GannetCodecs
@_exported public import GannetCore
@_exported public import GannetFetch
@_exported public import GannetImages
@_exported public import GannetPlatform
@_exported public import GannetViews

#if HTTP
    @_exported public import GannetHTTP
#endif
