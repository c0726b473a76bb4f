/** SemVer 2.0.0, the format of a tool's version in envelope-v1. */
const semanticVersion =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;

/** True for a semantic version, such as 1.0.0. */
export function isSemanticVersion(value: unknown): value is string {
  return typeof value === "string" && semanticVersion.test(value);
}
