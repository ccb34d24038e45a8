/// The help for `--matching`.
enum FilterHelp {
    static let text = """
        A flag must match every word and condition of the filter. A word matches if the key, title, description or value \
        contains it, in any case. Conditions: is:STATE, type:TYPE, cat:CATEGORY, layer:LAYER, value:>10, value:TEXT. ! excludes, as in !WORD and \
        !is:STATE; quotes keep spaces.
        """
}
