import ArgumentParser

/// `flagmenu menu`, which is also `flagmenu` alone.
struct MenuCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "menu", abstract: "Open the menu.", usage: "flagmenu [menu] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu --source remote.json
              flagmenu menu --launch enable_multiple_locations=true

            In the menu, ? shows every key.
            """)

    @Flag(help: "Begin with all flags in view, not as the menu was left.")
    var fresh = false

    @OptionGroup var options: GlobalOptions

    @Flag(help: "Talk in lines instead of painting a screen, for screen readers; also where TERM is dumb or not set.")
    var accessible = false

    /// The run that was asked for.
    var menu: MenuRun { MenuRun(options: options.given, isFresh: fresh, isAccessible: accessible) }

    func run() throws { try menu.run() }
}
