import Glibc

/// Memory of this process in MiB, as the kernel counts it.
struct ProcessMemory {
    /// The most it ever had, with the libraries that are mapped (`VmHWM`).
    let peak: Double
    /// Its own at present, without them (`RssAnon`).
    let own: Double

    init() {
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        var count = 0
        if let file = fopen("/proc/self/status", "r") {
            count = fread(&bytes, 1, bytes.count, file)
            fclose(file)
        }
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        func value(_ name: String) -> Double {
            guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else { return 0 }
            return (Double(line.filter(\.isNumber)) ?? 0) / 1024
        }
        (peak, own) = (value("VmHWM:"), value("RssAnon:"))
    }
}
