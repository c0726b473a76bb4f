/** SemVer 2.0.0, as envelope-v1 wants the version of a tool. */
const semanticVersion =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;

/** True for a semantic version, such as 1.0.0. */
export function isSemanticVersion(value: unknown): value is string {
  return typeof value === "string" && semanticVersion.test(value);
}
