const plainName = /^[A-Za-z_$][\w$-]*$/;

/** A place in a JSON value as people read it: `$.data.tasks[3].title`. */
export function toJsonPath(keys: readonly (string | number)[]): string {
  const steps = keys.map(toStep);
  // The place of something a thousand levels down is told by its two ends.
  return `$${(steps.length > 30 ? [...steps.slice(0, 20), "…", ...steps.slice(-5)] : steps).join("")}`;
}

/** One step of a JSON path: `.title`, `[3]` or `["odd key"]`. */
function toStep(key: string | number): string {
  if (typeof key === "number") return `[${key}]`;
  if (plainName.test(key)) return `.${key}`;
  const shown = key.length > 64 ? `${key.slice(0, 64)}…` : key;
  return `[${JSON.stringify(shown.toWellFormed())}]`;
}

/** One step of a JSON Pointer (RFC 6901), with its slash. */
export function toPointerStep(key: string | number): string {
  return `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
