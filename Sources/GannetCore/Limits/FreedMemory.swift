import CGannetKernels

/// Memory that the allocator keeps after it was freed.
package enum FreedMemory {
    /// Limits the allocator to one arena for each processor, and two at least: by default there are eight, which were a sixth of the
    /// memory of a list of 10,000 images. For programs that own their process, before there are threads.
    package static func keepOneArena(forEachOf processors: Int) { gannet_limit_arenas(Int32(clamping: max(processors, 2))) }

    /// Gives pieces of 1 MiB and more back to the system as soon as they are freed, for the price of fresh pages for each. For
    /// services, whose memory is to be that of now and not that of the worst minute.
    package static func returnLargePieces() { gannet_map_large_pieces(1 << 20) }

    /// Gives all that was freed back to the system. Blocking, for milliseconds.
    package static func returnAll() { gannet_return_freed_memory() }
}
