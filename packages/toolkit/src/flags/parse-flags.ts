import type { FieldError } from "@foundry-mcp/contract";
import type { Flag, FlagDefinition, FlagOverrides, FlagSet } from "./flag-definition.ts";
import { fromIssues, toFlagsError, toProblem, toUnknownFlag } from "./flag-problems.ts";
import { flagFileSchema, flagKeys, flagOptionsSchema } from "./flag-schema.ts";

/** Flags that are defined in code. */
export interface GivenFlags {
  /** The flag definitions by flag name. A flag name consists of letters, digits, `_`, `.` and `-`. */
  readonly flags?: Readonly<Record<string, FlagDefinition>> | undefined;
  /** Flag values for all clients, which take precedence over the overrides in the flag file. @default {} */
  readonly overrides?: FlagOverrides | undefined;
  /**
   * Flag values for single clients, by client name. A value for a single client takes precedence over every
   * other flag rule.
   * @default {}
   */
  readonly clientOverrides?: Readonly<Record<string, FlagOverrides>> | undefined;
}

/** Flags with values of valid types, before references to other flags are checked. */
interface TypedFlags {
  readonly flags: Readonly<Record<string, Flag>>;
  readonly overrides: FlagOverrides;
  readonly clientOverrides: Readonly<Record<string, FlagOverrides>>;
}

const optionsOrigin = "the flag options";

/** Parses flags that are defined in code. */
export function parseFlags({ flags, overrides, clientOverrides }: GivenFlags): FlagSet {
  const given = parseOptions({ flags, overrides, clientOverrides });
  const problems = findProblems(given, Object.keys(given.flags), "clientOverrides");
  if (problems.length > 0) throw toFlagsError(optionsOrigin, problems);
  return toSet(given);
}

/** Parses the content of a flag file. Overrides in code take precedence over overrides in the file. */
export function parseFlagFile(content: unknown, origin: string, options: Omit<GivenFlags, "flags">): FlagSet {
  const { success, data, error } = flagFileSchema.safeParse(content);
  if (!success) throw toFlagsError(origin, fromIssues(error.issues, content, flagKeys.file));
  const names = Object.keys(data.flags);
  const problems = findProblems(data, names, "client_overrides");
  if (problems.length > 0) throw toFlagsError(origin, problems);

  const given = parseOptions({ overrides: options.overrides, clientOverrides: options.clientOverrides });
  const conflicts = findProblems(given, names, "clientOverrides");
  if (conflicts.length > 0) throw toFlagsError(`${optionsOrigin} for ${origin}`, conflicts);
  return toSet(data, given);
}

function parseOptions(given: GivenFlags): TypedFlags {
  const { success, data, error } = flagOptionsSchema.safeParse(given);
  if (success) return data;
  throw toFlagsError(optionsOrigin, fromIssues(error.issues, given, flagKeys.code));
}

/** Finds references to undefined flags, and dependencies that form a cycle or a chain that is too long. */
function findProblems(
  { flags, overrides, clientOverrides }: TypedFlags,
  names: readonly string[],
  clientKey: string,
): readonly FieldError[] {
  const references = [
    ...Object.entries(flags).flatMap(([flag, { dependencies }]) =>
      dependencies.map((name, index) => ({ name, path: ["flags", flag, "dependencies", String(index)] })),
    ),
    ...Object.keys(overrides).map((name) => ({ name, path: ["overrides", name] })),
    ...Object.entries(clientOverrides).flatMap(([client, own]) =>
      Object.keys(own).map((name) => ({ name, path: [clientKey, client, name] })),
    ),
  ];
  const known = new Set(names);
  const unknown = references.filter(({ name }) => !known.has(name));
  if (unknown.length > 0) return unknown.map(({ path, name }) => toUnknownFlag(path, name, names));

  const chain = findChain(new Map(Object.entries(flags)));
  const [first = ""] = chain ?? [];
  if (chain === undefined) return [];
  const path = ["flags", first, "dependencies"];
  if (chain.at(-1) === first) return [toProblem(path, "cycle", `form a cycle: ${chain.join(" → ")}`)];
  return [toProblem(path, "max_depth", `form a chain of more than ${maxChain} flags`)];
}

function toSet({ flags, overrides, clientOverrides }: TypedFlags, priority?: TypedFlags): FlagSet {
  const clients = { ...clientOverrides, ...priority?.clientOverrides };
  return {
    flags: new Map(Object.entries(flags)),
    overrides: new Map(Object.entries({ ...overrides, ...priority?.overrides })),
    clientOverrides: new Map(
      Object.keys(clients).map((client) => [
        client,
        new Map(
          Object.entries({ ...own(clientOverrides, client), ...own(priority?.clientOverrides, client) }),
        ),
      ]),
    ),
  };
}

/** Reads only own properties of the record, because a client may be named `constructor`. */
function own<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/**
 * The maximum length of a chain of flag dependencies. The limit exists because the evaluation of a flag is
 * recursive.
 */
const maxChain = 100;

/**
 * Finds a chain of flag dependencies that is a cycle or is too long. A cycle is returned with its first flag
 * repeated at the end. Returns undefined if every chain is valid. Uses a loop instead of recursion, because
 * the flags of a file may form a chain of any length.
 */
function findChain(flags: ReadonlyMap<string, Flag>): readonly string[] | undefined {
  const lengths = new Map<string, number>();
  for (const root of flags.keys()) {
    // Each flag on the path from the root to the current flag, with its dependencies that are not yet
    // visited.
    const path = new Map([[root, [...(flags.get(root)?.dependencies ?? [])]]]);
    while (path.size > 0) {
      const [name, left] = [...path].at(-1) as [string, string[]];
      const next = left.pop();
      if (next === undefined) {
        const below = (flags.get(name)?.dependencies ?? []).map((each) => lengths.get(each) ?? 0);
        lengths.set(name, 1 + Math.max(0, ...below));
        path.delete(name);
        continue;
      }
      const names = [...path.keys()];
      if (path.has(next)) return [...names.slice(names.indexOf(next)), next];
      if (names.length + (lengths.get(next) ?? 1) > maxChain) return [...names, next];
      if (!lengths.has(next)) path.set(next, [...(flags.get(next)?.dependencies ?? [])]);
    }
  }
  return undefined;
}
