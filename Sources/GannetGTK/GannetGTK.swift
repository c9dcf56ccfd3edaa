#if GTK
    // One import for programs with widgets: the manager and its requests, and the types that describe views.
    @_exported public import Gannet
    @_exported public import GannetViews
#endif
