import FlagModel

/// Any catalog is refused with an error, or each of its flags is found by its key, with a type and options.
func fuzz(_ bytes: [UInt8]) {
    guard let document = try? RemoteDocument(parsing: bytes) else { return }
    let snapshot = RemoteSnapshot(documents: [document])
    for (place, item) in snapshot.catalog.items.enumerated() {
        require(snapshot.catalog.index(of: item.key) == place, "a flag is not found by its key")
        let type = snapshot.type(of: item)
        require(item.options.count <= FlagOption.limit, "more options than the limit")
        if let value = snapshot.values[item.key] { _ = type.accepts(value) }
    }
    let places = snapshot.catalog.categories.flatMap(\.items)
    require(places == Array(snapshot.catalog.items.indices), "a flag is in no category, or in two")
}
