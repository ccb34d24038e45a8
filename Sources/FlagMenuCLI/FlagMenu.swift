import ArgumentParser

@main struct FlagMenu: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "flagmenu")
}
