import Flags

extension StageUpdate {
    /// Reads everything that the stage shows. Overrides of a variant are only visible to this task: they are not saved,
    /// and observers are not notified.
    init(_ flags: FlagStore) {
        self.init(
            content: StageContent(flags.snapshot()),
            variants: StageScreen.allCases.reduce(into: [:]) { variants, screen in
                variants[screen] = screen.variants.map { _, settings in
                    flags.withOverrides(settings) { StageContent(flags.snapshot()) }
                }
            },
            banner: flags.overrideBanner,
            overrideCount: flags.activeOverrides.count, remote: flags.remoteStatus, issues: flags.issues)
    }
}
