import Essentials

/// Base64 (RFC 4648), with the standard alphabet or the one for URLs.
package enum Base64Text {
    /// Encodes bytes with the standard alphabet and padding.
    package static func text(_ bytes: some Sequence<UInt8>) -> String { Data(bytes).base64EncodedString() }

    /// Encodes bytes for a URL, with `-` and `_` instead of `+` and `/` (section 5).
    ///
    /// - Parameter padded: whether `=` pads the text to a multiple of four letters. JSON Web Tokens omit the padding
    ///   (RFC 7515, section 2).
    package static func urlText(_ bytes: some Sequence<UInt8>, padded: Bool = true) -> String {
        let text = text(bytes).replacing("+", with: "-").replacing("/", with: "_")
        return padded ? text : text.replacing("=", with: "")
    }

    /// Decodes a text in either alphabet, with padding or without; `nil` if it is not Base64.
    package static func bytes(_ text: String) -> [UInt8]? {
        var letters = text.replacing("-", with: "+").replacing("_", with: "/")
        while letters.last == "=" { letters.removeLast() }
        let padding = String(repeating: "=", count: (4 - letters.utf8.count % 4) % 4)
        return Data(base64Encoded: letters + padding).map(Array.init)
    }
}
