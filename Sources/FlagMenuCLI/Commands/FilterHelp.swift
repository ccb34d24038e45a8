/// Help of commands for `--matching`.
enum FilterHelp {
    static let text = """
        A filter has words that a flag's key, title, description or value contains, in any case, and conditions: is:STATE, \
        type:TYPE, cat:CATEGORY, layer:LAYER; !WORD and !is:STATE leave out, quotes keep spaces. A flag must match all of \
        them.
        """
}
