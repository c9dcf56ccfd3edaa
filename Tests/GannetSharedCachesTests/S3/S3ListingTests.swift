import Testing

@testable import GannetSharedCaches

struct S3ListingTests {
    @Test func namesAndPages() throws {
        let text = """
            <?xml version="1.0"?><ListBucketResult xmlns="x"><Contents><Key>a&amp;lt;/b</Key><Size>7</Size></Contents>
            <Contents><Size>8</Size><Owner><ID>1</ID></Owner><Key>other</Key></Contents>
            <NextContinuationToken>1&amp;2=</NextContinuationToken></ListBucketResult>
            """
        let listing = try #require(S3Listing(text, prefix: "a&lt;/"))
        #expect(listing.objects == [S3Listing.Object(name: "b", bytes: 7)] && listing.next == "1&2=")
        #expect(S3Listing("<Error></Error>", prefix: "") == nil)
        #expect(S3Listing("<ListBucketResult><Contents><Key>a</Key></Contents>", prefix: "") == nil)
        #expect(S3Listing("<ListBucketResult></ListBucketResult>", prefix: "")?.objects == [])
    }
}
