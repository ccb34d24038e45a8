import FlagModel

/// Any text is refused with an error, or read so that what is written of it reads the same.
func fuzz(_ bytes: [UInt8]) {
    guard let document = try? JSONDocument(parsing: bytes) else { return }
    visit(document.root)
    let written = Array(document.root.compactJSON.utf8)
    guard let again = try? JSONDocument(parsing: written) else { fatalError("what was written cannot be read") }
    require(Array(again.root.compactJSON.utf8) == written, "written twice, it differs")
    _ = try? RemoteDocument(parsing: bytes)
}

private func visit(_ value: JSONValue) {
    _ = (value.flagText, value.text?.string, value.position)
    value.elements.forEach(visit)
    for (key, member) in value.members {
        require(value[key.string] != nil, "a member is not found by its key")
        visit(member)
    }
}
