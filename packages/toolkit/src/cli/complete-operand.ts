import type { UnknownRecord } from "@foundry-mcp/contract";
import type { ParameterResolvers } from "./parameter-resolver.ts";

/** The operands of a command, for completion without creating its schema. */
export interface CommandOperands {
  /** The names of the parameters, in the order of the operands. */
  readonly names: readonly string[];
  /** True if the command is destructive, so that no operand may be left out. */
  readonly isDestructive: boolean;
  /** The tool and its action, such as `spec undo`. */
  readonly action: string;
}

/**
 * Completes an operand by its resolver; returns undefined if completion needs the options of the command. If the
 * line has no options, the position alone determines the parameter of the operand.
 */
export async function completeOperand(
  resolvers: ParameterResolvers,
  { names, isDestructive, action }: CommandOperands,
  rest: readonly string[],
  current: string,
): Promise<readonly string[] | undefined> {
  if ([...rest, current].some((word) => word.startsWith("-"))) return undefined;
  const name = names[rest.length] ?? "";
  if (!Object.hasOwn(resolvers, name)) return undefined;
  const before = Object.fromEntries(rest.map((word, index) => [names[index] ?? "", word]));
  const found = await findValues(resolvers, name, current, before, action);
  // The first argument may be left out if the next one also has a resolver.
  const next = rest.length === 0 && resolvers[name]?.fallback !== undefined ? names[1] : undefined;
  if (next === undefined || !Object.hasOwn(resolvers, next) || isDestructive) return found;
  return [...(await findValues(resolvers, next, current, {}, action)), ...found];
}

/** Lists the values of a parameter that begin with a text. */
export async function findValues(
  resolvers: ParameterResolvers,
  name: string,
  current: string,
  args: UnknownRecord,
  action?: string,
): Promise<readonly string[]> {
  return (await resolvers[name]?.find(current, args, action)) ?? [];
}
