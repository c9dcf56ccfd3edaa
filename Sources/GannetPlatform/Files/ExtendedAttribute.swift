import CGannetKernels
import GannetCore

/// Small values that a file system keeps beside a file (xattr(7)). Links are followed. Block; paths are absolute.
package enum ExtendedAttribute {
    /// The value of an attribute, at most 256 bytes. Nil: there is none, or the file system keeps none.
    package static func value(_ name: String, of path: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = path.withPath { path in gannet_get_attribute(path, name, &bytes, bytes.count) }
        return count < 0 ? nil : Array(bytes[..<count])
    }

    /// Nothing happens if the file system keeps none, or has no room.
    package static func set(_ name: String, to value: [UInt8], of path: String) {
        path.withPath { path in gannet_set_attribute(path, name, value, value.count) }
    }
}
