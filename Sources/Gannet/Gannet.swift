// Assembly only: everything that a program needs to load images, with one import. Views come with the module of a toolkit,
// `GannetGTK`; programs that replace clocks import `GannetPlatform`.

@_exported public import GannetCache
@_exported public import GannetCodecs
@_exported public import GannetCore
@_exported public import GannetFetch
@_exported public import GannetImages
@_exported public import GannetSandbox

#if HTTP
    @_exported public import GannetHTTP
#endif
