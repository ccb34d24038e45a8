import FlagRemote

/// Names of environment variables that contain credentials. Users may enter the credential itself instead of a name.
package enum VariableName {
    /// Whether a text is a shell variable name without lower-case letters. A text with such letters may be a token.
    package static func isOne(_ text: String) -> Bool {
        text.first?.isNumber == false
            && text.utf8.allSatisfy { byte in
                UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || byte == UInt8(ascii: "_")
            }
    }
}
