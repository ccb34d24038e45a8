# The scenes, one entry per picture. stage.sh explains the words.

# Overrides in every state: changed, same as remote, not listed, invalid.
every_state() {
    overridden express_checkout=true passkeys_enabled=true store_finder_view=globe payment_timeout=soon search_suggestions=personal
}

scene list 80x24
every_state
opens
sees 'Express checkout' '5 changed'
shot

scene list-light 80x24 light
every_state
opens
sees 'Express checkout' '5 changed'
shot

scene open 80x24
does 'rm flagmenu.json'
opens
sees '1  remote.json' 'init' 'Choose what to open'
shot

scene detail 120x40
every_state
opens
sees 'Why this value' '5 changed'
shot

scene wide 200x60
every_state
opens
sees 'Crash reports' 'Why this value' '5 changed'
shot

scene small 40x10
every_state
opens
sees 'Express checkout'
shot

scene filter 80x24
every_state
opens
sees 'Express checkout' '5 changed'
presses / c h e
sees 'of 33'
shot

scene options 80x24
every_state
opens
sees 'Express checkout' '5 changed'
presses j Enter
sees 'one_page' 'sheet' 'esc'
shot

scene clear-all 80x24
every_state
opens
sees 'Express checkout' '5 changed'
presses C
sees 'Reset' 'cancel'
shot

scene help 80x24
every_state
opens
sees 'Express checkout' '5 changed'
presses '?'
sees 'esc'
shot

scene error 80x24
every_state
does 'flagmenu status && sed "/gift_wrapping/s/false,/false;/" remote.json >broken && mv broken remote.json'
opens
sees 'stay in use'
shot

scene empty 80x24
opens
sees 'nothing changed'
presses m
sees 'what you changed'
shot

scene no-color 80x24 NO_COLOR=1
every_state
opens
sees 'Express checkout' '5 changed'
shot

scene high-contrast 80x24 FLAGMENU_THEME=highContrast
every_state
opens
sees 'Express checkout' '5 changed'
shot

scene read-only 80x24 FLAGMENU_READ_ONLY=true FLAGMENU_ENVIRONMENT=production
every_state
opens
sees 'Express checkout' '5 changed'
presses Space
sees 'read-only'
shot

scene editor 80x24
every_state
opens
sees 'Express checkout' '5 changed'
presses / b a n n e r Enter Enter
sees 'Autumn sale' 'esc'
shot

scene json-editor 80x24
opens
sees 'Express checkout'
presses / l o g i n Space s c r Enter Enter
sees 'Welcome back' 'line 1, column 1'
presses Down Down Down Down Down Down Tab
sees '{ …'
shot

scene json-error 80x24
opens
sees 'Express checkout'
presses / l o g i n Space s c r Enter Enter
sees 'Welcome back' 'line 1, column 1'
presses Down Down Down End BSpace
sees 'line 5, column 3'
shot


scene palette 80x24
every_state
opens
sees 'Express checkout' '5 changed'
presses : u n
sees 'flagmenu undo'
shot

scene accessible 80x30
every_state
opens 'flagmenu --accessible'
sees 'q to quit:'
types '/check'
presses Enter
sees 'filtered by check'
presses 1 Enter
sees 'one_page'
shot

scene prompt 80x20
every_state
opens "PS1='\$(words=\$(flagmenu prompt); echo \"\${words:+\$words }\")\$ ' exec sh"
rests_at '5 overrides $'
types 'flagmenu list --overridden'
presses Enter
rests_at '5 overrides $'
types 'flagmenu set log_level debug'
presses Enter
rests_at '6 overrides $'
types 'flagmenu get log_level'
presses Enter
rests_at '6 overrides $'
types 'flagmenu reset --all --yes'
presses Enter
rests_at '$'
shot

# A server template, evaluated for a user in France.
scene context 80x24
does 'flagmenu context --source shop.template.json country=FR platform=ios os=17.5 randomization_id=ana'
opens 'flagmenu --source shop.template.json'
sees 'checkout_layout' 'one_page'
presses c G Space
sees 'on, by hand'
shot

# Everything that the tester changed, and a value of this run.
scene changes 80x24
does 'flagmenu context --source shop.template.json country=FR'
does 'flagmenu set checkout_layout three_steps --source shop.template.json'
opens 'flagmenu --source shop.template.json'
sees 'checkout_layout' '2 changed'
presses c G Space
sees 'on, by hand' 'remote value changed'
presses Escape m
sees 'Conditions by hand' 'Overrides' 'Context'
shot

# Running apps: one that took the override, and one that has not read it.
two_apps() {
    overridden express_checkout=true
    does "sh $scripts/announce.sh shop 4242 express_checkout bool true override read checkout_layout string steps remote read"
    does "sh $scripts/announce.sh kiosk 4711 express_checkout bool true override unread"
}

scene apps 100x24
two_apps
opens
sees '2 apps running'
presses A
sees 'Running apps' 'shop (4242)' 'kiosk (4711)'
shot

scene apps-detail 120x40
two_apps
opens
sees '2 apps running' 'has not read it yet'
shot

# The demo app, on the sample and the overrides of the shop.
scene demo-location 80x24
overridden enable_multiple_locations=true
opens 'flagmenu-demo --app shop'
sees 'Location 10' '1 changed'
presses j j
sees '> Location 3'
shot

scene demo-login 80x24
opens 'flagmenu-demo --app shop --screen login'
sees 'Welcome' 'Continue'
shot

scene demo-variants 80x24
opens 'flagmenu-demo --app shop --screen login'
sees 'Welcome' 'Continue'
presses v
sees 'Variant A' 'Variant B' 'Let me in'
shot

scene demo-location-variants 80x24
opens 'flagmenu-demo --app shop --screen location --variants'
sees 'Single Location' 'Location 10'
shot

scene demo-items-variants 80x24
opens 'flagmenu-demo --app shop --screen items --variants'
sees 'Items, 10' 'Items, 42'
shot

scene demo-onboarding-variants 80x24
opens 'flagmenu-demo --app shop --screen onboarding --variants'
sees 'Onboarding, 3' 'Onboarding, 4'
shot

scene demo-menu 80x24
overridden enable_multiple_locations=true
opens 'flagmenu-demo --app shop'
sees 'Location 10' '1 changed'
presses d
sees 'FlagMenu' '▌●  Multiple locations'
shot
