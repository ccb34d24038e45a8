import TestSupport

@testable import FlagMenuCLI

extension Workplace {
    /// The settings of a program that runs here.
    func settings(_ options: GivenOptions = GivenOptions()) throws -> Settings {
        try Settings(
            options,
            environment: Environment(
                variables: EnvironmentVariables(environment), workingDirectory: path, homeDirectory: home))
    }
}
