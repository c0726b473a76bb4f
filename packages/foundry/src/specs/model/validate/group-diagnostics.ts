import type { Diagnostic } from "./diagnostics.ts";

/** Equal diagnostics of several places, as one row: the first of them, how many there are, and where the first ones are. */
export interface DiagnosticGroup extends Diagnostic {
  readonly count: number;
  /** The nodes of the first ones, or their paths; absent for a single one. */
  readonly locations?: readonly string[];
}

/** The maximum number of places that a row names. */
const maxLocations = 5;

/** Groups diagnostics of one code and one message, in the order of their first occurrence. */
export function groupDiagnostics(diagnostics: readonly Diagnostic[]): readonly DiagnosticGroup[] {
  const groups = new Map<string, Diagnostic[]>();
  for (const each of diagnostics) {
    const key = JSON.stringify([each.code, each.severity, each.message, each.auto_fixable]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [each]);
    else known.push(each);
  }
  return [...groups.values()].map((group) => {
    const [first] = group as [Diagnostic];
    if (group.length === 1) return { ...first, count: 1 };
    const locations = group.slice(0, maxLocations).map(({ location, path }) => location ?? path);
    return { ...first, count: group.length, locations };
  });
}
