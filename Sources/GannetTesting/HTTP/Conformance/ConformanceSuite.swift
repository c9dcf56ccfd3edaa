import FoundationEssentials

/// The definitions of the public HTTP cache tests (cache-tests.fyi), as far as they are JSON.
package struct ConformanceSuite: Decodable, Sendable {
    package var id: String
    package var tests: [Test]

    package struct Test: Decodable, Sendable {
        package var id: String
        package var name: String
        package var kind: String?
        package var browser_skip: Bool?
        package var browser_only: Bool?
        package var cdn_only: Bool?
        package var requests: [Request]

        package var isRequired: Bool { (kind ?? "required") == "required" }
        package var isOptimal: Bool { kind == "optimal" }
        /// Is about a cache of one user, as in a browser.
        package var appliesToPrivateCaches: Bool { browser_skip != true && cdn_only != true }
    }

    package struct Request: Decodable, Sendable {
        var request_method: String?
        var request_headers: [Field]?
        var request_body: String?
        var response_status: Status?
        var response_headers: [Field]?
        var response_body: String?
        var interim_responses: [Interim]?
        var expected_interim_responses: [Interim]?
        var expected_type: String?
        var expected_status: Optional<Int>
        var expected_status_given: Bool
        var expected_method: String?
        var expected_request_headers: [Field]?
        var expected_request_headers_missing: [Field]?
        var expected_response_headers: [Field]?
        var expected_response_headers_missing: [Field]?
        var expected_response_text: String?
        var expected_response_text_given: Bool
        var check_body: Bool?
        var setup: Bool?
        var setup_tests: [String]?
        var pause_after: Bool?
        var disconnect: Bool?
        var magic_locations: Bool?
        var magic_ims: Bool?
        var rfc850date: [String]?
        var filename: String?
        var query_arg: String?
        var cache: String?
        var redirect: String?

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case request_method, request_headers, request_body, response_status, response_headers, response_body
            case interim_responses, expected_interim_responses, expected_type, expected_status, expected_method
            case expected_request_headers, expected_request_headers_missing, expected_response_headers
            case expected_response_headers_missing, expected_response_text, check_body, setup, setup_tests, pause_after
            case disconnect, magic_locations, magic_ims, rfc850date, filename, query_arg, cache, redirect
        }

        package init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            func optional<T: Decodable>(_ key: CodingKeys, _ type: T.Type = T.self) throws -> T? {
                try values.decodeIfPresent(T.self, forKey: key)
            }
            request_method = try optional(.request_method)
            request_headers = try optional(.request_headers)
            request_body = try optional(.request_body)
            response_status = try optional(.response_status)
            response_headers = try optional(.response_headers)
            response_body = try optional(.response_body)
            interim_responses = try optional(.interim_responses)
            expected_interim_responses = try optional(.expected_interim_responses)
            expected_type = try optional(.expected_type)
            expected_status = try optional(.expected_status)
            expected_status_given = values.contains(.expected_status)
            expected_method = try optional(.expected_method)
            expected_request_headers = try optional(.expected_request_headers)
            expected_request_headers_missing = try optional(.expected_request_headers_missing)
            expected_response_headers = try optional(.expected_response_headers)
            expected_response_headers_missing = try optional(.expected_response_headers_missing)
            expected_response_text = try optional(.expected_response_text)
            expected_response_text_given = values.contains(.expected_response_text)
            check_body = try optional(.check_body)
            setup = try optional(.setup)
            setup_tests = try optional(.setup_tests)
            pause_after = try optional(.pause_after)
            disconnect = try optional(.disconnect)
            magic_locations = try optional(.magic_locations)
            magic_ims = try optional(.magic_ims)
            rfc850date = try optional(.rfc850date)
            filename = try optional(.filename)
            query_arg = try optional(.query_arg)
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

        package init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            code = try list.decode(Int.self)
        }
    }

    package struct Interim: Decodable, Sendable {
        var status: Int

        package init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            status = try list.decode(Int.self)
        }
    }

    package static func read(_ path: String) throws -> [ConformanceSuite] {
        try JSONDecoder().decode([ConformanceSuite].self, from: Data(contentsOf: URL(filePath: path)))
    }
}
