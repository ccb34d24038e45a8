/// Names of environment variables that credentials are in. What stands where a name belongs may be the credential itself.
package enum VariableName {
    /// Whether a text is a name as shells have them. Small letters are left out, as a token may look like those.
    package static func isOne(_ text: String) -> Bool {
        text.first?.isNumber == false
            && text.utf8.allSatisfy { byte in
                UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || byte == UInt8(ascii: "_")
            }
    }

    /// The variable as messages name it: by its name, or where that may be no name, by the member that it stands in.
    package static func shown(_ text: String, member: String) -> String {
        isOne(text) ? "the variable \(text)" : "the variable that \"\(member)\" names"
    }
}
