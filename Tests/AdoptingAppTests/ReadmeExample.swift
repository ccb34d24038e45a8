import Flags

// The code of the README, word for word. It opens a store in the user's folders, so it is compiled but not run.
extension FlagKey<Bool> {
    static let multipleLocations = FlagKey(
        "enable_multiple_locations", default: false, title: "Multiple locations", group: "Location")
}

struct WelcomeScreen: Codable, FlagValue {
    var title: String
}

extension FlagKey<WelcomeScreen> {
    static let welcomeScreen = FlagKey("welcome_screen", default: WelcomeScreen(title: "Welcome"))
}

func readmeExample() async {
    let flags = FlagStore(
        app: "shop",
        options: .init(
            overrides: .open, declares: [FlagKey<Bool>.multipleLocations, FlagKey<WelcomeScreen>.welcomeScreen]))
    print(flags[.multipleLocations] ? "Locations" : "Location", flags[.welcomeScreen].title)

    flags.withOverrides([.set(.multipleLocations, to: true)]) { print(flags[.multipleLocations]) }

    for await change in flags.changes(of: .multipleLocations) { print("It is \(change.new) now.") }
}
