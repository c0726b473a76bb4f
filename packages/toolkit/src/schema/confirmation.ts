import type { JsonSchema } from "./schema.ts";

const begin = "Confirm. Must be true, because the call ";

/**
 * Returns the description of a parameter that confirms a call, and whose only value is true. `effect` is what the call
 * does, such as "removes the task"; the failure of a call without the confirmation says it too.
 */
export function describeConfirmation(effect: string): string {
  return `${begin}${effect}`;
}

/** True for a parameter whose only value is true. */
export function isConfirmation(json: JsonSchema | undefined): boolean {
  return json?.["const"] === true;
}

/**
 * Returns the clause of a remediation for a call without its confirmation; `hasDryRun` is true if the call can report its
 * changes without making them.
 */
export function toConfirmationRemedy(name: string, json: JsonSchema, hasDryRun: boolean): string {
  const description = String(json["description"] ?? "");
  const effect = description.startsWith(begin)
    ? ` that the call ${description.slice(begin.length)}`
    : " the call";
  const dryRun = hasDryRun ? " (with {--dry_run=true} as well, it only shows the changes)" : "";
  return `confirm with {--${name}=true}${effect}${dryRun}`;
}
