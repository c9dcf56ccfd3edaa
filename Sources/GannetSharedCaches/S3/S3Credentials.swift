import GannetCore

/// The credentials for S3, which are shown nowhere.
public struct S3Credentials: Equatable, Sendable {
    let identifier: String
    let secret: [UInt8]
    /// Of temporary credentials.
    let token: String?

    /// An access key and its secret; `token`: of temporary credentials.
    public init(identifier: String, secret: String, token: String? = nil) {
        (self.identifier, self.secret, self.token) = (identifier, Array(secret.utf8), token)
    }

    /// From the variables that all of AWS' tools use, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and, where there is one,
    /// `AWS_SESSION_TOKEN`; nil if one of the first two is missing. `environment`: finds the value of a variable.
    public init?(environment: (String) -> String?) {
        guard let identifier = environment("AWS_ACCESS_KEY_ID"), let secret = environment("AWS_SECRET_ACCESS_KEY"),
            !identifier.isEmpty, !secret.isEmpty
        else { return nil }
        let token = environment("AWS_SESSION_TOKEN") ?? ""
        self.init(identifier: identifier, secret: secret, token: token.isEmpty ? nil : token)
    }
}

extension S3Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "S3 credentials" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { GannetCore.Redaction.mirror(of: self) }
}
