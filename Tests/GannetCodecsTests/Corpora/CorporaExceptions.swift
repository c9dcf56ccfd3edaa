/// Corpus files that do not decode as the table says, each with the reason: what the library or the reference does.
enum CorporaExceptions {
    static let reasons: [String: String] = [:]
}
