import type { CheckFinding } from "../findings/check-report.ts";

/** The call that showed something, as people would write it: `echo {"text":"a"}`; undefined where none did. */
export function describeCall({ tool, arguments: args }: CheckFinding): string | undefined {
  if (tool === undefined) return undefined;
  return args === undefined ? tool : `${tool} ${toJson(args)}`;
}

/** Arguments are made to be odd: nested deeper than JSON can be written, too. */
function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "…";
  }
}
