import FlagModel

/// How a shared state is written: a prefix, the digit of the version, three digits with the number of the digits that
/// follow, and these: a checksum and the compressed JSON. A text that is cut has too few of them.
package struct SharedForm: Sendable {
    /// For people and their programs: letters and digits alone, which are one word everywhere.
    package static let text = SharedForm(
        prefix: "fm1",
        BlockDigits("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", blockSize: 32))
    /// For QR codes, which have two of these characters in eleven bits (base 45 of RFC 9285).
    package static let code = SharedForm(
        prefix: "FM1:", BlockDigits("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:", blockSize: 2))

    /// The version of the JSON, and its digit.
    static let version = 1
    /// The digits of the version and of the number.
    static let headerCount = 4

    let prefix: [UInt8]
    let digits: BlockDigits

    private init(prefix: String, _ digits: BlockDigits) { (self.prefix, self.digits) = (Array(prefix.utf8), digits) }

    /// The text of a JSON text.
    ///
    /// - Throws: a sentence if it is too long.
    func encoded(_ json: [UInt8]) throws(InvalidText) -> String {
        let body = digits.encoded(Compression.checksum(of: json) + Compression.compressed(json))
        let base = digits.characters.count
        guard json.count <= Compression.limit, body.count < base * base * base else {
            throw InvalidText(sentence: "The changes are too many for a shared state. flagmenu export writes a file.")
        }
        let header = [Self.version, body.count / base / base, body.count / base % base, body.count % base]
        return String(decoding: prefix + header.map { digits.characters[$0] } + body, as: UTF8.self)
    }

    /// The JSON text of the digits after the prefix.
    ///
    /// - Throws: why they cannot be read, as a sentence.
    func decoded(_ text: ArraySlice<UInt8>) throws(InvalidText) -> [UInt8] {
        guard let version = text.first.flatMap(digits.value(of:)), let count = bodyCount(of: text) else {
            throw .changedState
        }
        guard version == Self.version else {
            throw InvalidText(
                sentence: "The shared state has format \(version) of a newer version of FlagMenu; this one reads "
                    + "format \(Self.version).")
        }
        let body = text.dropFirst(Self.headerCount)
        guard body.count >= count else {
            throw InvalidText(
                sentence: "The shared state is cut: \(body.count) of its \(count) characters are there. Copy all of "
                    + "it, or ask for a file.")
        }
        guard let bytes = digits.decoded(body.prefix(count)), bytes.count > 4 else { throw .changedState }
        let json = try Compression.decompressed(bytes.dropFirst(4))
        guard Compression.checksum(of: json).elementsEqual(bytes.prefix(4)) else { throw .changedState }
        return json
    }

    /// How many digits follow the header; `nil` if it is not complete.
    func bodyCount(of text: ArraySlice<UInt8>) -> Int? {
        let values = text.prefix(Self.headerCount).compactMap(digits.value(of:))
        guard values.count == Self.headerCount else { return nil }
        return values.dropFirst().reduce(0) { $0 * digits.characters.count + $1 }
    }

    /// Whether the digits are as many as the header says.
    func isWhole(_ text: [UInt8]) -> Bool {
        bodyCount(of: text[...]).map { text.count >= Self.headerCount + $0 } ?? false
    }
}

extension InvalidText {
    /// Something else than was shared.
    static let changedState = InvalidText(
        sentence: "The shared state was changed on its way: its checksum does not fit. Copy it again or get a file.")

    /// A state as it was shared, but not of a known form.
    static let unknownState = InvalidText(
        sentence: "The shared state has parts that this version of FlagMenu cannot read. Update it, or get a file.")
}
