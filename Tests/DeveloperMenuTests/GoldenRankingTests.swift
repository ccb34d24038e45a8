import FlagModel
import Testing

@testable import DeveloperMenu

/// Typical filters over the flags of a fitness app, and the flags that they should find first.
///
/// The rules are those of fzf: letters at word starts score most, then contiguous letters; gaps cost points; on a tie
/// the shorter name comes first. Whole names and prefixes come before everything else.
@Suite struct GoldenRankingTests {
    private static let keys = [
        "ai_workout_generation_enabled", "ai_exercise_substitution_enabled", "programs_enabled",
        "social_feed_enabled", "social_groups_enabled", "challenges_enabled", "leagues_enabled",
        "group_streaks_enabled", "check_in_enabled", "custom_workouts_enabled", "healthkit_sync_enabled",
        "stats_charts_enabled", "personal_trainer_enabled", "cms_workout_sync_enabled", "trainer_chat_enabled",
        "maintenance_mode_enabled", "force_update_enabled", "paywall_enabled", "review_request_enabled",
    ]

    @Test(
        arguments: [
            ("ai", ["ai_workout_generation_enabled", "ai_exercise_substitution_enabled"]),
            ("wk", ["custom_workouts_enabled", "cms_workout_sync_enabled", "ai_workout_generation_enabled"]),
            ("soc", ["social_feed_enabled", "social_groups_enabled"]),
            ("sf", ["social_feed_enabled"]), ("sg", ["social_groups_enabled"]),
            ("cw", ["cms_workout_sync_enabled", "custom_workouts_enabled"]),
            ("cwo", ["cms_workout_sync_enabled", "custom_workouts_enabled"]),
            ("cms", ["cms_workout_sync_enabled"]), ("awg", ["ai_workout_generation_enabled"]),
            ("trn", ["trainer_chat_enabled", "personal_trainer_enabled"]), ("pt", ["personal_trainer_enabled"]),
            ("tc", ["trainer_chat_enabled"]), ("mm", ["maintenance_mode_enabled"]), ("fu", ["force_update_enabled"]),
            ("chal", ["challenges_enabled"]), ("ch", ["check_in_enabled", "challenges_enabled"]),
            ("hk", ["healthkit_sync_enabled"]), ("stats", ["stats_charts_enabled"]),
            ("rev", ["review_request_enabled"]), ("sync", ["healthkit_sync_enabled", "cms_workout_sync_enabled"]),
            ("workout sync", ["cms_workout_sync_enabled"]), ("sync workout", ["cms_workout_sync_enabled"]),
            ("social !feed", ["social_groups_enabled"]), ("prog", ["programs_enabled"]),
            ("maint", ["maintenance_mode_enabled"]), ("trainer", ["trainer_chat_enabled", "personal_trainer_enabled"]),
            ("\"workout_s\"", ["cms_workout_sync_enabled"]), ("enabled", ["leagues_enabled", "paywall_enabled"]),
        ] as [(String, [String])])
    func `expected flags come first`(filter: String, best: [String]) {
        let document = Self.keys.map { #""\#($0)": "true""# }.joined(separator: ", ")
        let menu = MenuDriver(.snapshot("{\(document)}"), pressing: "/<paste:\(filter)>")
        #expect(Array(menu.listedKeys.prefix(best.count)) == best, "\(menu.listedKeys)")
    }
}
