#if GTK
    // What a program with widgets needs comes with one import: the manager and its requests, and the words of views.
    @_exported public import Gannet
    @_exported public import GannetViews
#endif
