import type { Diagnostic } from "../diagnostics.ts";

/** Formats a diagnostic on two lines. */
export function toLines(each: Diagnostic): readonly string[] {
  const {
    code,
    severity,
    category,
    message,
    path,
    location,
    suggested_fix: advice,
    auto_fixable: isFixable,
  } = each;
  const kind = `${severity} ${category} ${code}${isFixable ? " fixable" : ""}`;
  return [`${kind} at ${path}${location === null ? "" : ` of ${location}`}: ${message}`, `  ${advice}`];
}
