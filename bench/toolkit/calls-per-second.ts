import type { Section } from "../report.ts";
import { bare } from "./tables.ts";

/** Returns the inverse of the times, because tables show the time of a call but the targets are in calls per second. */
export function toCallsPerSecond(sections: readonly Section[]): Record<string, string>[] {
  return sections.flatMap(({ title, result }) => {
    if (result.kind !== "measurement" || result.baseline !== bare) return [];
    return result.rows.map(({ name, ms, ratio }) => ({
      table: title,
      row: name,
      "calls/s": Math.round(1_000 / ms.median).toLocaleString("en"),
      share: (1 / ratio.median).toFixed(2),
    }));
  });
}
