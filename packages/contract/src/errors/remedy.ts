import type { UnknownRecord } from "../json/json-value.ts";

/** A call of a tool that helps. */
export interface RemedyCall {
  readonly tool: string;
  readonly action?: string | undefined;
  readonly arguments?: UnknownRecord | undefined;
  /** Further arguments that only the caller knows, by name. */
  readonly needs?: readonly string[] | undefined;
}

/** What a caller can do about a failure, as data: each surface writes it as its users would type it. */
export type Remedy =
  | RemedyCall
  /** A command of a shell. */
  | { readonly command: string }
  /** A setting to change. */
  | { readonly setting: string }
  /** The seconds after which to call again. */
  | { readonly wait: number };

/** Writes a remedy as a surface shows it. */
export type DescribeRemedy = (remedy: Remedy) => string;

/** Writes a remedy as an agent calls it: `task(action="unblock", task_id="task-1-1", reason=…)`. */
export function describeRemedy(remedy: Remedy): string {
  if ("command" in remedy) return remedy.command;
  if ("setting" in remedy) return remedy.setting;
  if ("wait" in remedy) return `${remedy.wait} seconds`;
  const { tool, action, arguments: given, needs = [] } = remedy;
  const named = Object.entries({ ...(action === undefined ? {} : { action }), ...given }).map(
    ([name, value]) => `${name}=${JSON.stringify(value)}`,
  );
  return `${tool}(${[...named, ...needs.map((name) => `${name}=…`)].join(", ")})`;
}

/** Puts remedies into a text: `{1}` stands for the first. */
export function fillRemedies(
  text: string,
  remedies: readonly Remedy[],
  describe: DescribeRemedy = describeRemedy,
): string {
  return text.replace(/\{(\d)\}/g, (place, digit: string) => {
    const remedy = remedies[Number(digit) - 1];
    return remedy === undefined ? place : describe(remedy);
  });
}

/** One remedy or several, as a list. */
export function toRemedies(remedy: Remedy | readonly Remedy[] | undefined): readonly Remedy[] {
  if (remedy === undefined) return [];
  return Array.isArray(remedy) ? remedy : [remedy as Remedy];
}
