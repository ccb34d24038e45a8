import DeveloperMenu
import Dispatch
import FlagModel
import FlagQueries
import Flags
import TerminalShell
import TerminalUI

/// A menu with its background work.
struct OpenMenu {
    let menu: TerminalMenu
    let mailbox = Mailbox<Event>()
    let runner: EffectRunner
    let keeper: SessionKeeper?

    /// The maximum time that keys wait for the first flags: a slow source must not block the menu.
    private static let typeAheadLimit = DispatchTimeInterval.milliseconds(500)

    init(_ menu: TerminalMenu) {
        self.menu = menu
        runner = EffectRunner(menu, mailbox)
        runner.start(at: menu.flags.now())
        keeper = menu.settings.session.map(SessionKeeper.init)
    }

    /// Ends the background work.
    func finish() {
        runner.stop()
        keeper?.finish()
        menu.flags.readOverrides()
    }

    /// The state of a menu that has not read anything yet. The terminal's first event reports the real size.
    func state(_ charset: Charset) -> MenuState {
        MenuState(
            target: menu.target, size: Size(columns: 80, rows: 24), charset: charset, now: menu.flags.now(),
            layers: menu.flags.contents.menuLayers, team: menu.flags.team?.source.address,
            greeting: menu.settings.greeting, opensOthers: menu.settings.openChoices != nil,
            localZone: LocalZone { $0.localZone.offset })
    }

    /// The events to handle before the first frame, so that this frame has the right preferences and arrangement.
    var firstEvents: [Event] {
        let preferences = menu.settings.appPreferences.map { SettingsEvent.preferencesRead($0, errors: []) }
        let offer: SettingsEvent? = menu.settings.offersOpening ? .openOffered : nil
        return [menu.settings.preferences?.first ?? preferences, keeper?.event, offer].compactMap {
            $0.map(Event.settings)
        }
    }

    /// The main loop on a screen.
    ///
    /// - Parameter typeAhead: the keys that were typed for this menu before it was opened.
    func program(typeAhead: [KeyPress] = []) -> Program<MenuState, Event, Effect> {
        var firstEvents = firstEvents + typeAhead.map(Event.key)
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.typeAheadLimit) { [mailbox] in
            mailbox.post(.terminal(.typeAheadEnded))
        }
        return Program(
            state: state(TerminalLocale.screenCharset),
            reduce: { state, event in
                let events = firstEvents + [event]
                firstEvents = []
                defer { keeper?.scheduleSave(of: state) }
                // Each event has its own time, so that each frame shows correct ages.
                return events.flatMap { state.reduce($0, at: menu.flags.now()) }
            },
            view: \.screen,
            keyEvent: Event.key,
            resizeEvent: { .terminal(.resized($0)) },
            backgroundEvent: { .terminal(.backgroundDetected($0)) },
            idleEvent: .terminal(.minutePassed),
            idleTimeout: { $0.secondsToTick * 1_000 },
            perform: runner.perform,
            isFinished: \.isFinished,
            isReady: \.isReadyToShow,
            finish: finish
        )
    }
}
