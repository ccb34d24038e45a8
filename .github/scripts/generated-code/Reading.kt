import com.example.flags.Fixture0

/** Values that a source may send for the flags of shop.json. */
fun read() {
    fun <T> expect(flag: Fixture0.FlagKey<T>, wanted: T, vararg values: Any?) {
        for (value in values) {
            val found = flag.from(mapOf(flag.key to value))
            check(found == wanted) { "${flag.key}: $value is read as $found, not as $wanted" }
        }
    }
    expect(Fixture0.classFlag, true, "on", "TRUE", "1", true, "maybe", 1, null, listOf(true))
    expect(Fixture0.classFlag, false, "off", "", false)
    expect(Fixture0.maxItems, 10L, "10", 10, 10L, 10.0)
    expect(Fixture0.maxItems, 42L, "11", "010", " 10", "10.5", 10.5, "99999999999999999999", true, null)
    expect(Fixture0.ratio, 1.5, "1.5", "15e-1", 1.5)
    expect(Fixture0.ratio, 1.0, "NaN", "1e999", "2", ".5", "1f", Double.NaN)
    expect(Fixture0.theme, Fixture0.Theme.Dark2, "Dark")
    expect(Fixture0.theme, Fixture0.Theme.Empty, "")
    expect(Fixture0.theme, Fixture0.Theme.Default, "DARK", "nope", 2, null)
    val red = Fixture0.BannersElement(
        Fixture0.BannersElement.Color(0, 0, 1), listOf(Fixture0.BannersElement.RowsElement(7)), "é\n\"\\")
    val text = "{\"title\": \"\\u00e9\\n\\\"\\\\\", \"rows\": [{\"id\": 7, \"note\": null}], \"more\": [1e3], "
    expect(Fixture0.banners, listOf(red), "[$text \"color\": {\"blue\": 0, \"green\": 0, \"red\": 1}}]")
    expect(Fixture0.banners, emptyList(), " [ ] ", emptyList<Any>())
    expect(
        Fixture0.banners, Fixture0.banners.default, "", "[", "[{}]", "[1]", "[$text \"color\": {}}]", "[,]", "[] []", "{}",
        "[\"", "[\"\\u12", "[\"\\x\"]", "[nul]", "[01]", "[".repeat(1_000_000), 1, null, mapOf("title" to "t"))
    expect(Fixture0.emptyList, mapOf("a" to null), "{\"a\": null}", mapOf("a" to null))
}
