import ArgumentParser
import FlagRemote
import TestSupport

@testable import FlagMenuCLI

extension Workplace {
    /// The settings of a program that runs here.
    func settings(_ options: GlobalOptions? = nil) throws -> Settings {
        try Settings(
            try options ?? GlobalOptions.parse([]),
            environment: Environment(
                variables: EnvironmentVariables(environment), workingDirectory: path, homeDirectory: home))
    }
}
