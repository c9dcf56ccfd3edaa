import FoundationEssentials
import GannetCore
import Testing

@testable import GannetSharedCaches

/// What AWS published: its test suite of Signature Version 4, and the examples in the documentation of S3.
struct S3SignatureTests {
    private static let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    struct Vector: Sendable {
        var name: String
        var method = "GET"
        var path = "/"
        var query: [(String, String)] = []
        var headers: [(String, String)] = []
        var body = ""
        var signature: String
    }

    @Test(
        arguments: [
            Vector(
                name: "get-vanilla", signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
            Vector(
                name: "get-vanilla-query-order-key-case", query: [("Param2", "value2"), ("Param1", "value1")],
                signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
            Vector(
                name: "get-vanilla-utf8-query", query: [("\u{1234}", "bar")],
                signature: "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"),
            Vector(
                name: "get-header-value-trim", headers: [("My-Header1", " value1"), ("My-Header2", " \"a   b   c\"")],
                signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"),
            Vector(
                name: "post-vanilla", method: "POST",
                signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
            Vector(
                name: "post-x-www-form-urlencoded", method: "POST",
                headers: [("Content-Type", "application/x-www-form-urlencoded")], body: "Param1=value1",
                signature: "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"),
        ])
    func testSuite(vector: Vector) throws {
        let signature = S3Signature(
            credentials: S3Credentials(identifier: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
            region: "us-east-1", service: "service")
        let date = "20150830T123600Z"
        let headers = [("Host", "example.amazonaws.com"), ("X-Amz-Date", date)] + vector.headers
        let names = headers.map { $0.0.lowercased() }.sorted().joined(separator: ";")
        let made = signature.authorization(
            method: vector.method, path: vector.path, query: vector.query, headers: headers,
            payload: SHA256.hex(vector.body.utf8), date: date)
        #expect(
            made == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                + "SignedHeaders=\(names), Signature=\(vector.signature)", "\(vector.name)")
    }

    @Test(
        arguments: [
            Vector(
                name: "GET Object", path: "/test.txt", headers: [("Range", "bytes=0-9")],
                signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
            Vector(
                name: "PUT Object", method: "PUT", path: "/" + PercentEncoding.encoded("test$file.text", keepsSlashes: true),
                headers: [("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")],
                body: "Welcome to Amazon S3.",
                signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
            Vector(
                name: "GET Bucket Lifecycle", query: [("lifecycle", "")],
                signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
            Vector(
                name: "List Objects", query: [("max-keys", "2"), ("prefix", "J")],
                signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
        ])
    func examplesOfS3(vector: Vector) throws {
        let signature = S3Signature(
            credentials: S3Credentials(
                identifier: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
            region: "us-east-1")
        // 2013-05-24 00:00 UTC.
        let date = S3Signature.date(Timestamp(milliseconds: 1_369_353_600_000))
        #expect(date == "20130524T000000Z")
        let payload = SHA256.hex(vector.body.utf8)
        #expect(vector.body.isEmpty == (payload == Self.empty))
        let made = signature.authorization(
            method: vector.method, path: vector.path, query: vector.query,
            headers: vector.headers + [
                ("Host", "examplebucket.s3.amazonaws.com"), ("x-amz-content-sha256", payload), ("x-amz-date", date),
            ], payload: payload, date: date)
        #expect(made.hasSuffix(", Signature=\(vector.signature)"), "\(vector.name): \(made)")
    }

    @Test func credentialsComeFromTheEnvironmentAndAreNotShown() throws {
        var variables = ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_SESSION_TOKEN": ""]
        let credentials = try #require(S3Credentials { variables[$0] })
        #expect(credentials == S3Credentials(identifier: "AKID", secret: "secret"))
        var dumped = ""
        dump(S3Signature(credentials: credentials, region: "r"), to: &dumped)
        for text in ["\(credentials)", String(reflecting: credentials), dumped] { #expect(!text.contains("secret")) }
        variables["AWS_SESSION_TOKEN"] = "token"
        #expect(S3Credentials { variables[$0] }?.token == "token")
        variables["AWS_SECRET_ACCESS_KEY"] = ""
        #expect(S3Credentials { variables[$0] } == nil)
    }
}

struct S3LocationTests {
    @Test(
        arguments: [
            ("abc", nil, "https://abc.s3.eu-west-1.amazonaws.com/x/y"),
            ("abc/p/q", nil, "https://abc.s3.eu-west-1.amazonaws.com/p/q/x/y"),
            ("a.b.c/p/", nil, "https://s3.eu-west-1.amazonaws.com/a.b.c/p/x/y"),
            ("abc//p", "http://127.0.0.1:9000", "http://127.0.0.1:9000/abc/p/x/y"),
            ("abc/ä b", "https://s3.example.org:443/", "https://s3.example.org/abc/%C3%A4%20b/x/y"),
            ("abc", "http://[::1]:80", "http://[::1]/abc/x/y"),
        ] as [(String, String?, String)])
    func whereAnObjectIs(text: String, endpoint: String?, url: String) throws {
        let location = try S3Location(text, endpoint: endpoint, region: "eu-west-1")
        #expect(location.url(path: location.path("x/y"))?.absoluteString == url)
    }

    @Test(
        arguments: [
            ("", nil, "a bucket "), ("ab", nil, "a bucket "), ("ABC", nil, "a bucket "), ("abc/../d", nil, ". and .. "),
            ("a b c", nil, "a bucket "),
            ("abc", "s3.example.org", "an endpoint "), ("abc", "ftp://a.org", "an endpoint "),
            ("abc", "http://me:secret@a.org", "an endpoint "), ("abc", "http://a.org/path", "an endpoint "),
            ("abc", "", "an endpoint "),
        ] as [(String, String?, String)])
    func whatIsRefused(text: String, endpoint: String?, start: String) {
        let error = #expect(throws: ImageError.self) { try S3Location(text, endpoint: endpoint, region: "eu-west-1") }
        #expect(error?.message.hasPrefix(start) == true && error?.message.contains("secret") == false)
    }
}
