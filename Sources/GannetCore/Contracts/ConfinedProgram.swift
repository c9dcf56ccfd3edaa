/// A program of the system that reads one file and writes what it made of it. The sandbox runs it, and nothing else does.
package struct ConfinedProgram: Sendable {
    /// The name of its file, which is looked for in fixed folders.
    package var name: String
    /// The package of Debian that has it, for the error where it is missing.
    package var package: String
    /// The format that it reads, for errors.
    package var format: ImageFormat
    /// Words that do not depend on the file's content. The file is its standard input.
    package var arguments: [String]

    package init(_ name: String, of package: String, for format: ImageFormat, _ arguments: [String]) {
        self.name = name
        self.package = package
        self.format = format
        self.arguments = arguments
    }

    /// The end of a program that was not stopped.
    package struct End: Sendable {
        package var exitCode: Int32
        /// The beginning of its messages, in printable ASCII.
        package var messages: String

        package init(exitCode: Int32, messages: String) {
            self.exitCode = exitCode
            self.messages = messages
        }
    }
}

/// A coder whose decoders have a ``ConfinedProgram`` read the file, through the sandbox of ``DecodeEnvironment/places``: it stays in
/// this process, whatever isolation is requested, and ``DecodePlaces`` refuses the file where there is no sandbox.
package protocol ProgramConfined: ImageCoder {}
