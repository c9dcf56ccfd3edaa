#if HTTP
    import GannetCore
    import GannetHTTP
    import Testing

    /// Which addresses and ports a policy allows.
    struct AddressPolicyTests {
        static func refusal(_ address: String, allowing networks: [String] = []) throws -> String? {
            try AddressPolicy(allowing: networks).refusal(of: try #require(HostAddress(address), "\(address)"))
        }

        /// First and last addresses of every range in IANA's special-purpose registries, of multicast and of what is not assigned.
        @Test(arguments: [
            ("0.0.0.0", "0.255.255.255"), ("10.0.0.0", "10.255.255.255"), ("100.64.0.0", "100.127.255.255"),
            ("127.0.0.0", "127.255.255.255"), ("169.254.0.0", "169.254.255.255"), ("172.16.0.0", "172.31.255.255"),
            ("192.0.0.0", "192.0.0.255"), ("192.0.2.0", "192.0.2.255"), ("192.31.196.0", "192.31.196.255"),
            ("192.52.193.0", "192.52.193.255"), ("192.88.99.0", "192.88.99.255"), ("192.168.0.0", "192.168.255.255"),
            ("192.175.48.0", "192.175.48.255"), ("198.18.0.0", "198.19.255.255"), ("198.51.100.0", "198.51.100.255"),
            ("203.0.113.0", "203.0.113.255"), ("224.0.0.0", "239.255.255.255"), ("240.0.0.0", "255.255.255.255"),
            ("::", "::1"), ("::0.0.0.2", "::255.255.255.255"), ("::ffff:0.0.0.0", "::ffff:255.255.255.255"),
            ("::ffff:0:8.8.8.8", "::ffff:0:127.0.0.1"), ("64:ff9b::", "64:ff9b::255.255.255.255"),
            ("64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"), ("100::", "100::ffff:ffff:ffff:ffff"),
            ("100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff"), ("2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("2001:1::1", "2001:1::3"), ("2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff"),
            ("2001:3::", "2001:3:ffff:ffff:ffff:ffff:ffff:ffff"), ("2001:4:112::", "2001:4:112:ffff:ffff:ffff:ffff:ffff"),
            ("2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff"), ("2001:20::", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("2001:30::", "2001:3f:ffff:ffff:ffff:ffff:ffff:ffff"), ("2001:1ff::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"), ("2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff"), ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("4000::", "5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"), ("5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"), ("fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"), ("ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ])
        func `Ranges that are not the public internet`(_ first: String, _ last: String) throws {
            #expect(try Self.refusal(first) != nil)
            #expect(try Self.refusal(last) != nil)
        }

        /// The neighbours of those ranges.
        @Test(arguments: [
            "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
            "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0", "192.0.3.0",
            "192.31.195.255", "192.31.197.0", "192.52.192.255", "192.52.194.0", "192.88.98.255", "192.88.100.0",
            "192.167.255.255", "192.169.0.0", "192.175.47.255", "192.175.49.0", "198.17.255.255", "198.20.0.0",
            "198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255", "2000::", "2001:200::",
            "2001:db7:ffff::1", "2001:db9::", "2003::", "2606:4700::1111", "2620:4f:7fff::", "2620:4f:8001::",
            "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::",
        ])
        func `Public addresses`(_ address: String) throws { #expect(try Self.refusal(address) == nil) }

        @Test(arguments: [
            ("2606:4700::5efe:127.0.0.1", false), ("2606:4700::200:5efe:10.0.0.1", false),
            ("2606:4700:1:2:0:5efe:a9fe:a9fe", false),
            ("2606:4700::5efe:8.8.8.8", true), ("2606:4700::200:5efe:8.8.8.8", true), ("2606:4700::5eff:127.0.0.1", true),
            ("2606:4700::100:5efe:127.0.0.1", true), ("2606:4700::1:5efe:127.0.0.1", true), ("fe80::5efe:8.8.8.8", false),
        ])
        func `Addresses of ISATAP are what their IPv4 address is`(_ address: String, _ isAllowed: Bool) throws {
            #expect(try (Self.refusal(address) == nil) == isAllowed)
            #expect(try Self.refusal(address, allowing: ["::/0", "0.0.0.0/0"]) == nil)
        }

        @Test(
            arguments: [
                (["10.0.0.0/8"], "10.255.0.1", true), (["10.0.0.0/8"], "11.0.0.1", true), (["10.0.0.0/8"], "192.168.0.1", false),
                (["10.1.2.3/8"], "10.9.9.9", true), (["10.0.0.1"], "10.0.0.1", true), (["10.0.0.1"], "10.0.0.2", false),
                (["10.0.0.0/31"], "10.0.0.1", true), (["10.0.0.0/31"], "10.0.0.2", false), (["0.0.0.0/0"], "127.0.0.1", true),
                (["0.0.0.0/0"], "::1", false), (["fd00::/8"], "fd12::1", true), (["fd00::/8"], "fc00::1", false),
                (["::1"], "::1", true), (["::/0"], "::1", true), (["::/0"], "127.0.0.1", false), (["::/0"], "fe80::1", true),
                (["192.168.0.0/16", "10.0.0.0/8"], "10.0.0.1", true),
                // An address within an address must be allowed as well.
                (["127.0.0.0/8"], "::ffff:127.0.0.1", false), (["::ffff:0:0/96"], "::ffff:8.8.8.8", true),
                (["::ffff:0:0/96"], "::ffff:127.0.0.1", false), (["::/0"], "::ffff:127.0.0.1", false),
                (["::ffff:0:0/96", "127.0.0.0/8"], "::ffff:127.0.0.1", true),
                (["::ffff:127.0.0.0/104"], "::ffff:127.0.0.1", true),
                (["::ffff:127.0.0.0/104"], "::ffff:10.0.0.1", false), (["64:ff9b::/96"], "64:ff9b::8.8.8.8", true),
                (["64:ff9b::/96"], "64:ff9b::a00:1", false), (["64:ff9b:1::/48"], "64:ff9b:1::1", true),
                (["2002::/16"], "2002:808:808::1", true), (["2002::/16"], "2002:a00:1::1", false),
                (["2002:a00::/24"], "2002:a00:1::1", true),
                // Teredo: 8.8.8.8 and 10.0.0.1 with their bits inverted.
                (["2001::/32"], "2001:0:1:2:3:4:f7f7:f7f7", true), (["2001::/32"], "2001:0:1:2:3:4:f5ff:fffe", false),
                (["10.0.0.0/8"], "2606:4700::5efe:10.0.0.1", true), (["2606:4700::/32"], "2606:4700::5efe:10.0.0.1", false),
                (["2606:4700::5efe:10.0.0.0/104"], "2606:4700::5efe:10.0.0.1", true),
                (["::/96"], "::8.8.8.8", true), (["::/96"], "::10.0.0.1", false), (["::/0"], "::10.0.0.1", false),
            ] as [([String], String, Bool)])
        func `Networks that are allowed`(_ networks: [String], _ address: String, _ isAllowed: Bool) throws {
            #expect(try (Self.refusal(address, allowing: networks) == nil) == isAllowed)
        }

        @Test(arguments: [
            "", "10.0.0.0/", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "10.0/8", "0x7f.0.0.1",
            "example.org",
            "[::1]", "fe80::1%lo", "10.0.0.0 /8", "10.0.0.0/ 8", "10.0.0.0/8 ", "10.0.0.1\u{0}", "10.0.0.0/99999999999999999999",
        ])
        func `Text that is no network`(_ text: String) {
            let error = #expect(throws: ImageError.self) { try AddressPolicy(allowing: ["10.0.0.0/8", text]) }
            #expect(error?.code == .misuse)
        }

        @Test(arguments: ["127.0.0.1", "10.200.3.4", "::1", "2001:db8::1:0:0:1", "fe80::1", "::ffff:1.2.3.4"])
        func `Addresses are written as they are read`(_ text: String) throws { #expect(HostAddress(text)?.text == text) }
    }
#endif
