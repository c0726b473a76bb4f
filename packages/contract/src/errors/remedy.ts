import type { UnknownRecord } from "../json/json-value.ts";

/** A tool call that remedies a failure. */
export interface RemedyCall {
  readonly tool: string;
  readonly action?: string | undefined;
  readonly arguments?: UnknownRecord | undefined;
  /** The names of additional arguments whose values only the caller knows. */
  readonly needs?: readonly string[] | undefined;
}

/** A remedy for a failure, as data. Each surface formats the remedy as its users would type it. */
export type Remedy =
  | RemedyCall
  /** A shell command. */
  | { readonly command: string }
  /** A setting to change. */
  | { readonly setting: string }
  /** The number of seconds to wait before the next call. */
  | { readonly wait: number };

/** A parameter of the failed call. Remediations name it as `{--name}`, or with its value as `{--name=true}` or `{--name=false}`. */
export interface NamedParameter {
  readonly parameter: string;
  readonly value?: boolean | undefined;
}

/** Formats a remedy, or a parameter of the failed call, for one surface. */
export type DescribeRemedy = (remedy: Remedy | NamedParameter) => string;

/** Formats a remedy as a tool call: `task(action="unblock", task_id="task-1-1", reason=…)`. */
export function describeRemedy(remedy: Remedy | NamedParameter): string {
  if ("parameter" in remedy)
    return remedy.value === undefined ? remedy.parameter : `${remedy.parameter}: ${remedy.value}`;
  if ("command" in remedy) return remedy.command;
  if ("setting" in remedy) return remedy.setting;
  if ("wait" in remedy) return `${remedy.wait} seconds`;
  const { tool, action, arguments: given, needs = [] } = remedy;
  const named = Object.entries({ ...(action === undefined ? {} : { action }), ...given }).map(
    ([name, value]) => `${name}=${JSON.stringify(value)}`,
  );
  return `${tool}(${[...named, ...needs.map((name) => `${name}=…`)].join(", ")})`;
}

/**
 * Replaces the placeholders of a text: `{1}`, `{2}` … with the remedies, and `{--name}` with the parameter as callers
 * write it.
 */
export function fillRemedies(
  text: string,
  remedies: readonly Remedy[],
  describe: DescribeRemedy = describeRemedy,
): string {
  return text.replace(places, (place, digit = "", parameter?: string, value?: string) => {
    if (parameter !== undefined)
      return describe({ parameter, ...(value === undefined ? {} : { value: value === "=true" }) });
    const remedy = remedies[Number(digit) - 1];
    return remedy === undefined ? place : describe(remedy);
  });
}

/** Matches the placeholders of remedies and of parameters. */
const places = /\{(?:(\d)|--(\w[\w.[\]-]*)(=true|=false)?)\}/g;

/** Returns the placeholder of a parameter. A path that is not a plain name is returned unchanged. */
export function toParameterPlace(field: string): string {
  return /^\w[\w.[\]-]*$/.test(field) ? `{--${field}}` : field;
}

/** Converts one remedy, several remedies or none to a list. */
export function toRemedies(remedy: Remedy | readonly Remedy[] | undefined): readonly Remedy[] {
  if (remedy === undefined) return [];
  return Array.isArray(remedy) ? remedy : [remedy as Remedy];
}
