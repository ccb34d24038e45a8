import Flags

extension StageUpdate {
    /// Reads everything that the stage shows. Overrides of a variant are only visible to this task: they are not saved,
    /// and observers are not notified.
    init(_ flags: FlagStore) {
        var variants: [StageScreen: [StageVariant]] = [:]
        for screen in StageScreen.allCases {
            variants[screen] = screen.variants.map { name, settings in
                flags.withOverrides(settings) { StageVariant(name: name, content: StageContent(flags.snapshot())) }
            }
        }
        self.init(
            content: StageContent(flags.snapshot()), variants: variants, banner: flags.overrideBanner,
            overrideCount: flags.activeOverrides.count, remote: flags.remoteStatus, issues: flags.issues)
    }
}
