#if CommandLine
    import Glibc

    /// Standard output and standard error without a buffer: each call writes at once.
    package enum StandardStream {
        /// Writes all bytes, waiting where the stream does not block; false, with `errno` set: the stream refused them.
        package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
            bytes.withUnsafeBytes { source in
                var done = 0
                while done < source.count, let base = source.baseAddress {
                    let put = Glibc.write(descriptor, base + done, source.count - done)
                    if put >= 0 {
                        done += put
                    } else if errno == EAGAIN {
                        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                        poll(&ready, 1, -1)
                    } else if errno != EINTR {
                        return false
                    }
                }
                return true
            }
        }
    }
#endif
