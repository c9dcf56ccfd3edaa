import FoundationEssentials

/// The JSON definitions of the public HTTP cache tests (cache-tests.fyi).
package struct ConformanceSuite: Decodable, Sendable {
    package var id: String
    package var tests: [Test]

    package struct Test: Decodable, Sendable {
        package var id: String
        package var name: String
        package var kind: String?
        package var browserSkip: Bool?
        package var browserOnly: Bool?
        package var cdnOnly: Bool?
        package var requests: [Request]

        package var isRequired: Bool { (kind ?? "required") == "required" }
        package var isOptimal: Bool { kind == "optimal" }
        /// Whether the test applies to a private cache, as in a browser.
        package var appliesToPrivateCaches: Bool { browserSkip != true && cdnOnly != true }
    }

    package struct Request: Decodable, Sendable {
        var requestMethod: String?
        var requestHeaders: [Field]?
        var requestBody: String?
        var responseStatus: Status?
        var responseHeaders: [Field]?
        var responseBody: String?
        var interimResponses: [Interim]?
        var expectedInterimResponses: [Interim]?
        var expectedType: String?
        var expectedStatus: Optional<Int>
        var expectedStatusGiven: Bool
        var expectedMethod: String?
        var expectedRequestHeaders: [Field]?
        var expectedRequestHeadersMissing: [Field]?
        var expectedResponseHeaders: [Field]?
        var expectedResponseHeadersMissing: [Field]?
        var expectedResponseText: String?
        var expectedResponseTextGiven: Bool
        var checkBody: Bool?
        var setup: Bool?
        var setupTests: [String]?
        var pauseAfter: Bool?
        /// Seconds before the response.
        var responsePause: Int?
        var disconnect: Bool?
        var magicLocations: Bool?
        var magicIms: Bool?
        var rfc850date: [String]?
        var filename: String?
        var queryArg: String?
        var cache: String?
        var redirect: String?

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case requestMethod, requestHeaders, requestBody, responseStatus, responseHeaders, responseBody
            case interimResponses, expectedInterimResponses, expectedType, expectedStatus, expectedMethod
            case expectedRequestHeaders, expectedRequestHeadersMissing, expectedResponseHeaders
            case expectedResponseHeadersMissing, expectedResponseText, checkBody, setup, setupTests, pauseAfter
            case responsePause, disconnect, magicLocations, magicIms, rfc850date, filename, queryArg, cache, redirect
        }

        package init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            func optional<T: Decodable>(_ key: CodingKeys, _ type: T.Type = T.self) throws -> T? {
                try values.decodeIfPresent(T.self, forKey: key)
            }
            requestMethod = try optional(.requestMethod)
            requestHeaders = try optional(.requestHeaders)
            requestBody = try optional(.requestBody)
            responseStatus = try optional(.responseStatus)
            responseHeaders = try optional(.responseHeaders)
            responseBody = try optional(.responseBody)
            interimResponses = try optional(.interimResponses)
            expectedInterimResponses = try optional(.expectedInterimResponses)
            expectedType = try optional(.expectedType)
            expectedStatus = try optional(.expectedStatus)
            expectedStatusGiven = values.contains(.expectedStatus)
            expectedMethod = try optional(.expectedMethod)
            expectedRequestHeaders = try optional(.expectedRequestHeaders)
            expectedRequestHeadersMissing = try optional(.expectedRequestHeadersMissing)
            expectedResponseHeaders = try optional(.expectedResponseHeaders)
            expectedResponseHeadersMissing = try optional(.expectedResponseHeadersMissing)
            expectedResponseText = try optional(.expectedResponseText)
            expectedResponseTextGiven = values.contains(.expectedResponseText)
            checkBody = try optional(.checkBody)
            setup = try optional(.setup)
            setupTests = try optional(.setupTests)
            pauseAfter = try optional(.pauseAfter)
            responsePause = try optional(.responsePause)
            disconnect = try optional(.disconnect)
            magicLocations = try optional(.magicLocations)
            magicIms = try optional(.magicIms)
            rfc850date = try optional(.rfc850date)
            filename = try optional(.filename)
            queryArg = try optional(.queryArg)
            cache = try optional(.cache)
            redirect = try optional(.redirect)
        }
    }

    /// `"name"`, `["name", value]`, `["name", value, keep]` or `["name", "=", "other"]`.
    package struct Field: Decodable, Sendable {
        var name: String
        var values: [Value]

        package init(from decoder: any Decoder) throws {
            if let single = try? decoder.singleValueContainer().decode(String.self) {
                (name, values) = (single, [])
                return
            }
            var list = try decoder.unkeyedContainer()
            name = try list.decode(String.self)
            values = []
            while !list.isAtEnd { values.append(try list.decode(Value.self)) }
        }
    }

    package enum Value: Decodable, Sendable, Equatable {
        case text(String)
        case number(Int)
        case flag(Bool)

        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }
    }

    package struct Status: Decodable, Sendable {
        var code: Int
        var phrase: String

        package init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            code = try list.decode(Int.self)
            phrase = list.isAtEnd ? "" : try list.decode(String.self)
        }
    }

    package struct Interim: Decodable, Sendable {
        var status: Int
        var headers: [[String]]

        package init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            status = try list.decode(Int.self)
            headers = list.isAtEnd ? [] : try list.decode([[String]].self)
        }
    }

    package static func read(_ path: String) throws -> [ConformanceSuite] {
        try decoder.decode([ConformanceSuite].self, from: Data(contentsOf: URL(filePath: path)))
    }

    /// Parses the body that a client PUTs to `/config/`: the requests of a test.
    static func requests(_ text: some Collection<UInt8>) throws -> [Request] {
        try decoder.decode([Request].self, from: Data(text))
    }

    private static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }
}
