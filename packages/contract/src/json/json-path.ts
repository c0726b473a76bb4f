const plainName = /^[A-Za-z_$][\w$-]*$/;

/** Formats a JSON path: `$.data.tasks[3].title`. */
export function toJsonPath(keys: readonly (string | number)[]): string {
  const steps = keys.map(toStep);
  // Only the first and last steps of a long path are shown.
  return `$${(steps.length > 30 ? [...steps.slice(0, 20), "…", ...steps.slice(-5)] : steps).join("")}`;
}

/** Formats one step of a JSON path: `.title`, `[3]` or `["odd key"]`. */
function toStep(key: string | number): string {
  if (typeof key === "number") return `[${key}]`;
  if (plainName.test(key)) return `.${key}`;
  const shown = key.length > 64 ? `${key.slice(0, 64)}…` : key;
  return `[${JSON.stringify(shown.toWellFormed())}]`;
}

/** Formats one step of a JSON Pointer (RFC 6901), including the slash before the step. */
export function toPointerStep(key: string | number): string {
  return `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
