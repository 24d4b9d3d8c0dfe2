import Testing

@testable import ImageLoading

// F32
@Suite struct AddressRuleTests {
    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255",
        "127.0.0.1", "127.255.255.254", "169.254.0.1", "169.254.169.254", "172.16.0.1",
        "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.168.0.1", "192.168.255.255",
        "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.7", "224.0.0.1",
        "239.255.255.255", "240.0.0.1", "255.255.255.255",
        "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
        "64:ff9b::7f00:1", "64:ff9b::192.168.1.1", "64:ff9b:1::1", "2002:7f00:1::",
        "2002:c0a8:101::1", "2001::1", "2001:db8::1", "3fff::1", "100::1", "fc00::1", "fd12::1",
        "fe80::1", "febf::1", "fec0::1", "ff02::1", "4000::1",
    ])
    func `an address outside the public internet is refused`(text: String) throws {
        #expect(!AddressRule.isPublic(try #require(IPAddress(text))))
    }

    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "128.0.0.1",
        "126.255.255.255", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0",
        "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255",
        "2606:4700::1111", "2a00:1450:4001::1", "2001:200::1", "::ffff:8.8.8.8",
        "64:ff9b::808:808", "2002:808:808::1",
    ])
    func `an address next to a refused range is public`(text: String) throws {
        #expect(AddressRule.isPublic(try #require(IPAddress(text))))
    }

    @Test(arguments: [
        "localhost", "LOCALHOST", "localhost.", "a.localhost", "127.0.0.1", "[::1]",
        "[fe80::1%25eth0]", "[::ffff:7f00:1]",
    ])
    func `a host with a private literal address needs no look-up`(host: String) {
        #expect(!AddressRule.mayBePublic(host: host))
    }

    @Test(arguments: ["a.example", "localhost.example", "mylocalhost", "8.8.8.8", "[2a00::1]"])
    func `any other host may be public`(host: String) {
        #expect(AddressRule.mayBePublic(host: host))
    }

    @Test(arguments: ["", "1", "127.1", "1.2.3.4.5", "256.1.1.1", "0x7f.0.0.1", "1:2", "a.b", "[]"])
    func `an invalid address is rejected`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.200.0.1", true), ("10.0.0.0/9", "10.128.0.0", false),
        ("10.1.2.3", "10.1.2.3", true), ("10.1.2.3", "10.1.2.4", false),
        ("0.0.0.0/0", "200.1.1.1", true), ("0.0.0.0/0", "::1", false),
        ("fc00::/7", "fdff::1", true), ("fc00::/7", "fe00::1", false),
        ("2001:db8::/33", "2001:db8:8000::", false),
    ])
    func `a prefix contains the addresses that start with its bits`(
        prefix: String,
        address: String,
        isInside: Bool
    ) throws {
        let address = try #require(IPAddress(address))

        #expect(try #require(IPPrefix(prefix)).contains(address) == isInside)
    }

    @Test(arguments: ["10.0.0.0/33", "::/129", "10.0.0.0/-1", "10.0.0.0/", "/8", "a/8", ""])
    func `an invalid prefix is rejected`(text: String) {
        #expect(IPPrefix(text) == nil)
    }

    // F32
    @Test(arguments: [
        ("router", false), ("printer.local", false), ("NAS.home.arpa.", false),
        ("metadata.google.internal", false), ("10.0.0.1", false), ("localhost", false),
        ("example.org", true), ("local.example.org", true), ("[2606:4700::1]", true),
    ])
    func `behind a proxy a name that only a private network can have is refused`(
        host: String,
        isAllowed: Bool
    ) {
        #expect(AddressRule.mayBePublic(host: host, isBehindProxy: true) == isAllowed)
    }

    @Test func `without a proxy the addresses of such a name decide`() {
        #expect(AddressRule.mayBePublic(host: "router"))
        #expect(AddressRule.mayBePublic(host: "printer.local"))
    }
}
