import ArgumentParser
import FlagRemote
import TestSupport

@testable import FlagMenuCLI

extension Workplace {
    /// What a program that runs here was started with.
    var started: Environment {
        Environment(variables: EnvironmentVariables(environment), workingDirectory: path, homeDirectory: home)
    }

    /// The settings of a program that runs here.
    func settings(_ options: GlobalOptions? = nil) throws -> Settings {
        try Settings(try options ?? GlobalOptions.parse([]), environment: started)
    }

    /// Writes a project file that is allowed all that it does with credentials.
    ///
    /// - Parameter environment: what is set besides what all its commands find.
    func writeTrusted(_ project: String, environment: [String: String?] = [:]) {
        write(project, to: "flagmenu.json")
        _ = flagmenu("trust --quiet", environment: environment)
    }
}
