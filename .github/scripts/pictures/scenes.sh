# The scenes, one entry per picture. stage.sh explains the words.

# changed NAME COLUMNSxROWS [VARIABLE=VALUE...]: the menu with overrides in every state: changed, same as remote, not
# listed, invalid.
changed() {
    every_state "$@"
    opens
    sees 'Express checkout' '5 changed'
}

every_state() {
    scene "$@"
    overridden express_checkout=true passkeys_enabled=true store_finder_view=globe payment_timeout=soon \
        search_suggestions=personal
}

changed list 80x24
shot

changed list-light 80x24 light
shot

scene open 80x24
does 'rm flagmenu.json'
opens
shot '1  remote.json' 'init' 'Choose what to open'

changed detail 120x40
shot 'Why this value'

changed wide 200x60
shot 'Crash reports' 'Why this value'

every_state small 40x10
opens
shot 'Express checkout'

changed filter 80x24
presses / c h e
shot 'of 33'

changed options 80x24
presses j Enter
shot 'one_page' 'sheet' 'esc'

changed clear-all 80x24
presses C
shot 'Reset' 'cancel'

changed help 80x24
presses '?'
shot 'esc'

every_state error 80x24
does 'flagmenu status && sed "/gift_wrapping/s/false,/false;/" remote.json >broken && mv broken remote.json'
opens
shot 'stay in use'

scene empty 80x24
opens
sees 'nothing changed'
presses m
shot 'what you changed'

changed no-color 80x24 NO_COLOR=1
shot

changed high-contrast 80x24 FLAGMENU_THEME=highContrast
shot

changed read-only 80x24 FLAGMENU_READ_ONLY=true FLAGMENU_ENVIRONMENT=production
presses Space
shot 'read-only'

changed editor 80x24
presses / b a n n e r Enter Enter
shot 'Autumn sale' 'esc'

# json NAME KEY...: the editor of an object, with keys that are pressed in it.
json() {
    scene "$1" 80x24
    opens
    sees 'Express checkout'
    presses / l o g i n Space s c r Enter Enter
    sees 'Welcome back' 'line 1, column 1'
    presses "${@:2}"
}

json json-editor Down Down Down Down Down Down Tab
shot '{ …'

json json-error Down Down Down End BSpace
shot 'line 5, column 3'

changed palette 80x24
presses : u n
shot 'flagmenu undo'

every_state accessible 80x30
opens 'flagmenu --accessible'
sees 'q to quit:'
types '/check'
presses Enter
sees 'filtered by check'
presses 1 Enter
shot 'one_page'

every_state prompt 80x20
opens "PS1='\$(words=\$(flagmenu prompt); echo \"\${words:+\$words }\")\$ ' exec sh"
rests_at '5 overrides $'
# Each command, and the prompt after it.
for line in 'list --overridden:5 overrides $' 'set log_level debug:6 overrides $' 'get log_level:6 overrides $' \
    'reset --all --yes:$'; do
    types "flagmenu ${line%%:*}"
    presses Enter
    rests_at "${line#*:}"
done
shot

# A server template, evaluated for a user in France.
scene context 80x24
does 'flagmenu context --source shop.template.json country=FR platform=ios os=17.5 randomization_id=ana'
opens 'flagmenu --source shop.template.json'
sees 'checkout_layout' 'one_page'
presses c G Space
shot 'on, by hand'

# Everything that the tester changed, and a value of this run.
scene changes 80x24
does 'flagmenu context --source shop.template.json country=FR'
does 'flagmenu set checkout_layout three_steps --source shop.template.json'
opens 'flagmenu --source shop.template.json'
sees 'checkout_layout' '2 changed'
presses c G Space
sees 'on, by hand' 'remote value changed'
presses Escape m
shot 'Conditions by hand' 'Overrides' 'Context'

# Running apps: one that took the override, and one that has not read it.
two_apps() {
    scene "$@"
    overridden express_checkout=true
    local flag='express_checkout bool true override'
    does "sh $scripts/announce.sh shop 4242 $flag read checkout_layout string steps remote read"
    does "sh $scripts/announce.sh kiosk 4711 $flag unread"
    opens
    sees '2 apps running'
}

two_apps apps 100x24
presses A
shot 'Running apps' 'shop (4242)' 'kiosk (4711)'

two_apps apps-detail 120x40
shot 'has not read it yet'

# demo NAME [OPTION...]: the demo app, on the sample and the overrides of the shop.
demo() {
    scene "$1" 80x24
    case $1 in demo-location | demo-menu) overridden enable_multiple_locations=true ;; esac
    opens "flagmenu-demo --app shop ${*:2}"
}

demo demo-location
sees 'Location 10' '1 changed'
presses j j
shot '> Location 3'

demo demo-login --screen login
shot 'Welcome' 'Continue'

demo demo-variants --screen login
sees 'Welcome' 'Continue'
presses v
shot 'Variant A' 'Variant B' 'Let me in'

demo demo-location-variants --screen location --variants
shot 'Single Location' 'Location 10'

demo demo-items-variants --screen items --variants
shot 'Items, 10' 'Items, 42'

demo demo-onboarding-variants --screen onboarding --variants
shot 'Onboarding, 3' 'Onboarding, 4'

demo demo-menu
sees 'Location 10' '1 changed'
presses d
shot 'FlagMenu' '▌●  Multiple locations'
