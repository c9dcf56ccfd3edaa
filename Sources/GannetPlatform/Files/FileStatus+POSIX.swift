package import GannetCore
package import Glibc

extension FileStatus {
    init(_ status: stat) {
        let kind: Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            case S_IFLNK: .link
            default: .other
            }
        self.init(
            kind: kind, size: Int(status.st_size),
            modified: Self.moment(status.st_mtim),
            inode: UInt64(status.st_ino), device: UInt64(status.st_dev))
    }

    /// Some file systems accept any number of seconds, including ones that do not fit in milliseconds.
    package static func moment(_ time: timespec) -> Timestamp {
        let (whole, overflows) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1000)
        let (sum, overflows2) = whole.addingReportingOverflow(Int64(time.tv_nsec) / 1_000_000)
        guard !overflows, !overflows2 else { return Timestamp(milliseconds: time.tv_sec < 0 ? .min : .max) }
        return Timestamp(milliseconds: sum)
    }
}
