import { AppFlags, FlagKey } from "./Fixture0";

// Values that a source may send for the flags of shop.json.
function expect<T>(flag: FlagKey<T>, wanted: T, ...values: unknown[]): void {
    for (const value of values) {
        const found = flag.from({ [flag.key]: value });
        if (JSON.stringify(found) === JSON.stringify(wanted)) continue;
        throw new Error(`${flag.key}: ${value} is read as ${JSON.stringify(found)}, not as ${JSON.stringify(wanted)}`);
    }
}
expect(AppFlags.class, true, "on", "TRUE", "1", true, "maybe", 1, null, undefined, [true]);
expect(AppFlags.class, false, "off", "", false);
expect(AppFlags.maxItems, 10, "10", 10);
expect(AppFlags.maxItems, 42, "11", "010", " 10", "10.5", 10.5, "1e999", true, null);
expect(AppFlags.ratio, 1.5, "1.5", "15e-1", 1.5);
expect(AppFlags.ratio, 1, "NaN", "1e999", "2", ".5", "0x1", NaN, Infinity);
expect(AppFlags.theme, "Dark", "Dark");
expect(AppFlags.theme, "", "");
expect(AppFlags.theme, "default", "DARK", "nope", 2, null);
const red = { title: "é\n\"\\", rows: [{ id: 7, note: null }], color: { blue: 0, green: 0, red: 1 } };
expect(AppFlags.banners, [red], JSON.stringify([red]), [red]);
expect(AppFlags.banners, [], " [ ] ", []);
expect(
    AppFlags.banners, AppFlags.banners.default, "", "[", "[{}]", "[1]", [{ ...red, color: {} }], "[] []", "{}", "[01]",
    "[".repeat(1_000_000), 1, null, red);
expect(AppFlags.emptyList, { a: null }, '{"a": null}', { a: null });
