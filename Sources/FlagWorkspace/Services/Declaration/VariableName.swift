import FlagRemote

/// Names of environment variables that contain credentials. Users may enter the credential itself instead of a name.
package enum VariableName {
    /// Whether a text is a shell variable name without lower-case letters. A text with such letters may be a token.
    package static func isOne(_ text: String) -> Bool {
        text.first?.isNumber == false
            && text.allSatisfy { $0 == "_" || $0.isASCII && ($0.isUppercase || $0.isNumber) }
    }
}
