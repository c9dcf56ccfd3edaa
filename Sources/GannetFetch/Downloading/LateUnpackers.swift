#if HTTP
    import GannetCore
    import Glibc

    /// One compressed stream and its unread input.
    protocol Unpacker: AnyObject {
        /// There is input that was not read, or output that had no room.
        var hasInput: Bool { get }
        /// The stream is whole. Until then, an end of the body is too early.
        var isAtEnd: Bool { get }
        /// Input after the end.
        var rest: ArraySlice<UInt8> { get }
        func feed(_ chunk: [UInt8])
        /// Continues with another stream.
        func restart(with chunk: [UInt8])
        /// Produces at most 64 KiB of output.
        func step() throws(ImageError) -> [UInt8]
    }

    extension Unpacker {
        static var capacity: Int { 1 << 16 }

        static var damage: ImageError {
            ImageError(.protocolViolation, stage: .load, "The body is not compressed the way its Content-Encoding says.")
        }
    }

    /// Functions of a library that is there wherever libcurl was built with it, and that no program has to link. Never unloaded.
    private struct LateLibrary {
        private let handle: UnsafeMutableRawPointer

        init?(_ name: String) {
            guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
            self.handle = handle
        }

        /// - Parameter type: of a C function, as the library's header declares it.
        func function<F>(_ name: String, _ type: F.Type) -> F? { dlsym(handle, name).map { unsafeBitCast($0, to: type) } }
    }

    /// Brotli (RFC 7932), through the system's libbrotlidec.
    final class BrotliUnpacker: Unpacker {
        private typealias Make =
            @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?) -> OpaquePointer?
        private typealias Step =
            @convention(c) (
                OpaquePointer, UnsafeMutablePointer<Int>, UnsafeMutablePointer<UnsafePointer<UInt8>?>, UnsafeMutablePointer<Int>,
                UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<Int>?
            ) -> Int32
        private typealias Drop = @convention(c) (OpaquePointer?) -> Void

        private struct Functions: Sendable {
            let make: Make
            let step: Step
            let drop: Drop
        }

        private static let functions: Functions? = {
            guard let library = LateLibrary("libbrotlidec.so.1"),
                let make = library.function("BrotliDecoderCreateInstance", Make.self),
                let step = library.function("BrotliDecoderDecompressStream", Step.self),
                let drop = library.function("BrotliDecoderDestroyInstance", Drop.self)
            else { return nil }
            return Functions(make: make, step: step, drop: drop)
        }()

        static var isAvailable: Bool { functions != nil }

        private let functions: Functions
        private let state: OpaquePointer
        private var input: [UInt8] = []
        private var offset = 0
        private var outputWasFull = false
        private(set) var isAtEnd = false

        /// Nil: the library is missing, or there is no memory.
        init?() {
            guard let functions = Self.functions, let state = functions.make(nil, nil, nil) else { return nil }
            (self.functions, self.state) = (functions, state)
        }

        deinit { functions.drop(state) }

        var hasInput: Bool { offset < input.count || outputWasFull }
        var rest: ArraySlice<UInt8> { input[offset...] }

        func feed(_ chunk: [UInt8]) { (input, offset) = (chunk, 0) }

        /// A body of Brotli is one stream.
        func restart(with chunk: [UInt8]) { feed(chunk) }

        func step() throws(ImageError) -> [UInt8] {
            var (result, left, room) = (Int32(0), input.count - offset, Self.capacity)
            let output = [UInt8](unsafeUninitializedCapacity: Self.capacity) { target, filled in
                input.withUnsafeBufferPointer { source in
                    var next = source.baseAddress.map { $0 + offset }
                    var free = target.baseAddress
                    result = functions.step(state, &left, &next, &room, &free, nil)
                }
                filled = Self.capacity - room
            }
            offset = input.count - left
            // Error, end, more input wanted, more room wanted.
            guard result != 0 else { throw Self.damage }
            isAtEnd = result == 1
            outputWasFull = result == 3
            return output
        }
    }

    /// Zstandard (RFC 8878), through the system's libzstd. As RFC 9659 has it for HTTP, windows of more than 8 MiB are refused.
    final class ZstandardUnpacker: Unpacker {
        /// `ZSTD_inBuffer` and `ZSTD_outBuffer`.
        private struct Buffer {
            var start: UnsafeMutableRawPointer?
            var size: Int
            var position: Int
        }

        private typealias Make = @convention(c) () -> OpaquePointer?
        private typealias Step =
            @convention(c) (OpaquePointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Int
        private typealias Adjust = @convention(c) (OpaquePointer, Int32, Int32) -> Int
        private typealias IsError = @convention(c) (Int) -> UInt32
        private typealias Drop = @convention(c) (OpaquePointer?) -> Int

        private struct Functions: Sendable {
            let make: Make
            let step: Step
            let adjust: Adjust
            let isError: IsError
            let drop: Drop
        }

        private static let functions: Functions? = {
            guard let library = LateLibrary("libzstd.so.1"), let make = library.function("ZSTD_createDStream", Make.self),
                let step = library.function("ZSTD_decompressStream", Step.self),
                let adjust = library.function("ZSTD_DCtx_setParameter", Adjust.self),
                let isError = library.function("ZSTD_isError", IsError.self),
                let drop = library.function("ZSTD_freeDStream", Drop.self)
            else { return nil }
            return Functions(make: make, step: step, adjust: adjust, isError: isError, drop: drop)
        }()

        static var isAvailable: Bool { functions != nil }

        private let functions: Functions
        private let state: OpaquePointer
        private var input: [UInt8] = []
        private var offset = 0
        private var outputWasFull = false
        private(set) var isAtEnd = false

        /// Nil: the library is missing, or there is no memory.
        init?() {
            guard let functions = Self.functions, let state = functions.make() else { return nil }
            (self.functions, self.state) = (functions, state)
            // ZSTD_d_windowLogMax
            _ = functions.adjust(state, 100, 23)
        }

        deinit { _ = functions.drop(state) }

        var hasInput: Bool { offset < input.count || outputWasFull }
        var rest: ArraySlice<UInt8> { input[offset...] }

        func feed(_ chunk: [UInt8]) { (input, offset) = (chunk, 0) }

        func restart(with chunk: [UInt8]) {
            (isAtEnd, outputWasFull) = (false, false)
            feed(chunk)
        }

        func step() throws(ImageError) -> [UInt8] {
            var result = 0
            var used = offset
            let output = [UInt8](unsafeUninitializedCapacity: Self.capacity) { target, filled in
                input.withUnsafeMutableBufferPointer { source in
                    var bytes = Buffer(start: source.baseAddress, size: source.count, position: offset)
                    var room = Buffer(start: target.baseAddress, size: Self.capacity, position: 0)
                    result = functions.step(state, &room, &bytes)
                    (used, filled) = (bytes.position, room.position)
                }
            }
            offset = used
            guard functions.isError(result) == 0 else { throw Self.damage }
            // 0: a frame is whole. Frames may follow each other (RFC 8878 §3).
            isAtEnd = result == 0 && offset == input.count
            outputWasFull = output.count == Self.capacity && result != 0
            return output
        }
    }
#endif
