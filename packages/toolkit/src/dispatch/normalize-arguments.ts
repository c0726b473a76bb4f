import type { UnknownRecord } from "@foundry-mcp/contract";
import { budgetParameter, type InputShape } from "../catalogue/input-shape.ts";
import { setMember } from "../schema/argument-frame.ts";
import { checkMembers, type UnknownMember } from "../schema/check-members.ts";
import { nearest } from "../text/did-you-mean.ts";

/** Arguments under their current names, and the names that were repeated or unknown. */
export interface NormalArguments {
  readonly args: UnknownRecord;
  /** The parameters that were given more than once, under different names. */
  readonly twice: readonly string[];
  /** The unknown names, at any depth. */
  readonly unknown: readonly UnknownMember[];
}

/** The maximum number of reported unknown names; each name costs a comparison with every parameter. */
const maxUnknown = 50;
const none: readonly never[] = [];

/**
 * Replaces aliases with current names, drops null values of optional parameters, and finds unknown names at any depth.
 */
export function normalizeArguments(
  input: InputShape,
  args: UnknownRecord,
  aliases?: Readonly<Record<string, string>>,
): NormalArguments {
  const named = isNormal(input, args)
    ? { args, twice: none, unknown: none }
    : normalizeNames(input, args, aliases);
  if (input.nested === undefined) return named;
  const checked = checkMembers(named.args, input.nested, input.finder, maxUnknown);
  return { args: checked.args, twice: named.twice, unknown: [...named.unknown, ...checked.unknown] };
}

/** True for arguments without aliases, nulls or unknown names, which is the usual case. */
function isNormal({ parameters }: InputShape, args: UnknownRecord): boolean {
  for (const key of Object.keys(args)) {
    const value = args[key];
    if (value === null || value === undefined || !parameters.has(key)) return false;
  }
  return true;
}

function normalizeNames(
  input: InputShape,
  args: UnknownRecord,
  aliases: Readonly<Record<string, string>> | undefined,
): NormalArguments {
  const normalized: Record<string, unknown> = {};
  const [twice, unknown]: [string[], UnknownMember[]] = [[], []];
  for (const key of Object.keys(args)) {
    const value = args[key];
    const name = currentName(input, aliases, key);
    const parameter = name === undefined ? undefined : input.parameters.get(name);
    if (name === undefined || parameter === undefined) {
      if (input.isOpen) setMember(normalized, key, value);
      else if (value !== null && value !== undefined && unknown.length < maxUnknown)
        unknown.push({ path: key, name: key, names: suggestibleNames(key, input) });
      continue;
    }
    if (value === undefined || (value === null && !parameter.keepsNull)) continue;
    if (Object.hasOwn(normalized, name)) twice.push(name);
    normalized[name] = value;
  }
  return { args: normalized, twice, unknown };
}

function currentName(
  { parameters }: InputShape,
  aliases: Readonly<Record<string, string>> | undefined,
  key: string,
): string | undefined {
  if (parameters.has(key)) return key;
  if (aliases !== undefined && Object.hasOwn(aliases, key)) return aliases[key];
  return undefined;
}

/**
 * Lists the names to suggest. The budget parameter, which every action takes, is included only if its name is the
 * nearest.
 */
function suggestibleNames(key: string, { parameters }: InputShape): readonly string[] {
  const names = [...parameters.keys()];
  return nearest(key, names) === budgetParameter ? names : names.filter((name) => name !== budgetParameter);
}
