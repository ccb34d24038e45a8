import Platform

/// A range of IP addresses in CIDR notation (RFC 4632), such as `10.0.0.0/8` or `fd00::/8`.
struct AddressRange {
    private let network: [UInt8]
    /// The number of leading bits that all addresses of the range share.
    private let prefixLength: Int

    /// The range; `nil` if the text is not one.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let network = Self.bytes(of: parts[0]), let length = Int(parts[1]),
            0...network.count * 8 ~= length
        else { return nil }
        (self.network, prefixLength) = (network, length)
    }

    /// Whether a host is an address in the range; `false` for a name.
    func contains(_ host: some StringProtocol) -> Bool {
        guard let bytes = Self.bytes(of: host), bytes.count == network.count else { return false }
        let whole = prefixLength / 8
        guard bytes.prefix(whole) == network.prefix(whole) else { return false }
        let rest = prefixLength % 8
        return rest == 0 || (bytes[whole] ^ network[whole]) >> UInt8(8 - rest) == 0
    }

    /// The 4 or 16 bytes of an address; `nil` for other texts.
    private static func bytes(of text: some StringProtocol) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, String(text), &bytes) == 1 { return bytes }
        }
        return nil
    }
}
