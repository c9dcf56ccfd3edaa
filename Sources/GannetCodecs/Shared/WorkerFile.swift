#if JXL || SVG
    import CGannetShims
    import Glibc

    extension gannet_worker {
        /// Into the file in memory that both processes have, from its start. False: there is no room.
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
