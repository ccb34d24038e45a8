/// Names of environment variables that contain credentials. A credential itself may have been entered in place of a
/// name.
package enum VariableName {
    /// Whether a text is a variable name as in shells, but without lower-case letters, as a token may have them.
    package static func isOne(_ text: String) -> Bool {
        text.first?.isNumber == false
            && text.utf8.allSatisfy { byte in
                UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || byte == UInt8(ascii: "_")
            }
    }

    /// A description of the variable for messages: its name or, if that must not be shown, the member that sets it.
    package static func shown(_ text: String, member: String) -> String {
        isOne(text) ? "the variable \(text)" : "the variable that \"\(member)\" names"
    }
}
