import Essentials

/// Base64 in addresses and messages (RFC 4648): both alphabets.
package enum Base64Text {
    /// The text, padded, for a message.
    package static func text(_ bytes: some Sequence<UInt8>) -> String { Data(bytes).base64EncodedString() }

    /// The text for an address: `-` and `_` for `+` and `/` (section 5).
    ///
    /// - Parameter padded: whether `=` fills the last four letters. JSON Web Tokens have none (RFC 7515, section 2).
    package static func urlText(_ bytes: some Sequence<UInt8>, padded: Bool = true) -> String {
        let text = text(bytes).replacing("+", with: "-").replacing("/", with: "_")
        return padded ? text : text.replacing("=", with: "")
    }

    /// The bytes of a text in either alphabet, with padding or without; `nil` for anything else.
    package static func bytes(_ text: String) -> [UInt8]? {
        var letters = text.replacing("-", with: "+").replacing("_", with: "/")
        while letters.last == "=" { letters.removeLast() }
        let padding = String(repeating: "=", count: (4 - letters.utf8.count % 4) % 4)
        return Data(base64Encoded: letters + padding).map(Array.init)
    }
}
