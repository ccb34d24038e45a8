/// Letters without their case, as Python's `re.IGNORECASE` compares them.
enum CaseFolding {
    /// The small letter of a scalar (`_PyUnicode_ToLowercase`: one scalar for one, unlike `str.lower()`).
    static func lower(_ value: UInt32, isASCII: Bool) -> UInt32 {
        if value < 0x80 || isASCII { return 0x41...0x5A ~= value ? value + 32 : value }
        // Only U+0130, a capital I with a dot, has a small letter of two scalars; the first of them is its own.
        return Unicode.Scalar(value)?.properties.lowercaseMapping.unicodeScalars.first?.value ?? value
    }

    /// Whether a scalar has a case at all (`_sre.unicode_iscased`).
    static func isCased(_ value: UInt32, isASCII: Bool) -> Bool {
        if value < 0x80 || isASCII { return 0x41...0x5A ~= value || 0x61...0x7A ~= value }
        return lower(value, isASCII: false) != value || upper(value) != value
    }

    /// The large letter of a scalar where that is one scalar. Where it is several, as with U+1FB3, Unicode's simple
    /// mapping is the same as the title case.
    private static func upper(_ value: UInt32) -> UInt32 {
        guard let properties = Unicode.Scalar(value)?.properties else { return value }
        return single(properties.uppercaseMapping) ?? single(properties.titlecaseMapping) ?? value
    }

    private static func single(_ text: String) -> UInt32? {
        text.unicodeScalars.count == 1 ? text.unicodeScalars.first?.value : nil
    }

    /// Other small letters with the same large letter.
    static func siblings(of value: UInt32, isASCII: Bool) -> [UInt32] {
        if isASCII { return [] }
        return families.first { $0.contains(value) }?.filter { $0 != value } ?? []
    }

    /// Small letters that share a large one (`re/_casefix.py` of CPython 3.11, generated from Unicode 14).
    private static let families: [[UInt32]] = [
        [0x69, 0x131], [0x73, 0x17F], [0xB5, 0x3BC], [0x345, 0x3B9, 0x1FBE], [0x390, 0x1FD3], [0x3B0, 0x1FE3],
        [0x3B2, 0x3D0], [0x3B5, 0x3F5], [0x3B8, 0x3D1], [0x3BA, 0x3F0], [0x3C0, 0x3D6], [0x3C1, 0x3F1], [0x3C2, 0x3C3],
        [0x3C6, 0x3D5], [0x432, 0x1C80], [0x434, 0x1C81], [0x43E, 0x1C82], [0x441, 0x1C83], [0x442, 0x1C84, 0x1C85],
        [0x44A, 0x1C86], [0x463, 0x1C87], [0x1C88, 0xA64B], [0x1E61, 0x1E9B], [0xFB05, 0xFB06],
    ]
}
