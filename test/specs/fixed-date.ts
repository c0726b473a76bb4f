// Loaded before a program under test: its clock stands still, so that what it writes can be compared.
const now = Number(process.env["FOUNDRY_TEST_NOW"]);

class FixedDate extends Date {
  constructor(...given: [] | [value: number | string | Date]) {
    super(...((given.length === 0 ? [now] : given) as [number]));
  }

  static override now(): number {
    return now;
  }
}

globalThis.Date = FixedDate as DateConstructor;
