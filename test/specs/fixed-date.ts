// This file is loaded before a program under test. It stops the program's clock, so that the output can be compared.
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
