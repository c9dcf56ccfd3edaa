#if JXL || SVG
    import CGannetShims
    import Glibc

    extension gannet_worker {
        /// Writes at the start of the memory file that both processes share. False: it does not fit.
        func write(_ bytes: [UInt8]) -> Bool {
            bytes.withUnsafeBytes { bytes in
                var done = 0
                while done < bytes.count {
                    let put = pwrite(memory, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(done))
                    if put < 0, errno == EINTR { continue }
                    guard put > 0 else { return false }
                    done += put
                }
                return true
            }
        }
    }
#endif
