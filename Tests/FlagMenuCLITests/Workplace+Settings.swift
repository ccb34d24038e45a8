import ArgumentParser
import FlagRemote
import TestSupport

@testable import FlagMenuCLI
@testable import FlagWorkspace

extension Workplace {
    /// The environment of a program that runs here.
    var started: Environment {
        Environment(variables: environment, workingDirectory: path, homeDirectory: home)
    }

    /// The settings of a program that runs here.
    func settings(_ options: GlobalOptions? = nil) throws -> Settings {
        try Settings((options ?? GlobalOptions.parse([])).values, environment: started)
    }

    /// Writes a project file and trusts it, so that it may use credentials.
    ///
    /// - Parameter environment: variables besides those that all commands get.
    func writeTrusted(_ project: String, environment: [String: String?] = [:]) {
        write(project, to: "flagmenu.json")
        _ = flagmenu("trust --quiet", environment: environment)
    }
}
