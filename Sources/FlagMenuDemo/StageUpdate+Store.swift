import Flags

extension StageUpdate {
    /// Reads everything that the stage shows. Overrides of a variant are only visible to this task: they are not saved,
    /// and observers are not notified.
    init(_ flags: FlagStore) {
        let variants = StageScreen.allCases.map { screen in
            screen.variants.map { _, settings in
                flags.withOverrides(settings) { StageContent(flags.snapshot()) }
            }
        }
        self.init(
            content: StageContent(flags.snapshot()),
            variants: Dictionary(uniqueKeysWithValues: zip(StageScreen.allCases, variants)),
            banner: flags.overrideBanner,
            overrideCount: flags.activeOverrides.count, remote: flags.remoteStatus, issues: flags.issues)
    }
}
