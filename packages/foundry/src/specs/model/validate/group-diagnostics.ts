import type { Diagnostic } from "./diagnostics.ts";

/**
 * Equal diagnostics as one row. The row contains the first diagnostic, the number of diagnostics, and the
 * first few places where they occur.
 */
export interface DiagnosticGroup extends Diagnostic {
  readonly count: number;
  /** The nodes or paths of the first few diagnostics; absent if there is only one diagnostic. */
  readonly locations?: readonly string[];
}

/** The maximum number of places that a row names. */
const maxLocations = 5;

/**
 * Groups diagnostics with the same code and message. The groups are in the order of their first diagnostics.
 */
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
