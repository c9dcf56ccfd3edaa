import GannetCodecs
import GannetCore
import Glibc

/// Called by libFuzzer, which provides this program's `main`, before anything else.
///
///     gannet-fuzz list                      the formats of this build, those of which regions are decoded, and those with threads, one a line
///     gannet-fuzz seeds FORMAT FOLDER       writes small files of the format, made by its encoder
///     gannet-fuzz FORMAT [LIBFUZZER …]      fuzzes; arguments are libFuzzer's: folders with inputs, files, -options
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
    let words = (0..<Int(count.pointee)).compactMap { arguments.pointee[$0].map { String(cString: $0) } }
    guard words.count >= 2 else {
        print("usage: gannet-fuzz list | seeds FORMAT FOLDER | FORMAT [LIBFUZZER OPTIONS AND FOLDERS]")
        exit(2)
    }
    if words[1] == "list" {
        for name in FuzzTarget.names { print(name) }
        exit(0)
    }
    if words[1] == "seeds", words.count == 4 { exit(Seeds.write(format: words[2], folder: words[3]) ? 0 : 1) }
    guard let target = FuzzTarget(format: words[1]) else {
        print("No coder of this build knows \(words[1]).")
        exit(2)
    }
    FuzzTarget.current = target
    // libFuzzer sees the command without the format.
    for index in 1..<Int(count.pointee) { arguments.pointee[index] = arguments.pointee[index + 1] }
    count.pointee -= 1
    return 0
}

/// One input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    FuzzTarget.current?.run(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}
