import type { FieldError } from "@foundry-mcp/contract";
import { findCycle } from "./find-circle.ts";
import type { Flag, FlagDefinition, FlagOverrides, FlagSet } from "./flag-definition.ts";
import { fromIssues, toFlagsError, toProblem, toUnknownFlag } from "./flag-problems.ts";
import { flagFileSchema, flagKeys, flagOptionsSchema } from "./flag-schema.ts";

/** Flags as they are given in code. */
export interface GivenFlags {
  /** Definitions by name: letters, digits, `_`, `.` and `-`. */
  readonly flags?: Readonly<Record<string, FlagDefinition>> | undefined;
  /** Flags switched for everyone, above those that the file switches. @default {} */
  readonly overrides?: FlagOverrides | undefined;
  /** Flags switched for a client, by client; they win over everything. @default {} */
  readonly clientOverrides?: Readonly<Record<string, FlagOverrides>> | undefined;
}

/** Flags whose every part has its type; whether they fit together is not known yet. */
interface TypedFlags {
  readonly flags: Readonly<Record<string, Flag>>;
  readonly overrides: FlagOverrides;
  readonly clientOverrides: Readonly<Record<string, FlagOverrides>>;
}

const options = "the flag options";

/** Reads flags given in code. */
export function parseFlags({ flags, overrides, clientOverrides }: GivenFlags): FlagSet {
  const given = parseOptions({ flags, overrides, clientOverrides });
  const problems = findProblems(given, Object.keys(given.flags), "clientOverrides");
  if (problems.length > 0) throw toFlagsError(options, problems);
  return toSet(given);
}

/** Reads the content of a flag file; overrides given in code go above those of the file. */
export function parseFlagFile(content: unknown, origin: string, above: Omit<GivenFlags, "flags">): FlagSet {
  const { success, data, error } = flagFileSchema.safeParse(content);
  if (!success) throw toFlagsError(origin, fromIssues(error.issues, content, flagKeys.file));
  const names = Object.keys(data.flags);
  const problems = findProblems(data, names, "client_overrides");
  if (problems.length > 0) throw toFlagsError(origin, problems);

  const given = parseOptions({ overrides: above.overrides, clientOverrides: above.clientOverrides });
  const unfit = findProblems(given, names, "clientOverrides");
  if (unfit.length > 0) throw toFlagsError(`${options} for ${origin}`, unfit);
  return toSet(data, given);
}

function parseOptions(given: GivenFlags): TypedFlags {
  const { success, data, error } = flagOptionsSchema.safeParse(given);
  if (success) return data;
  throw toFlagsError(options, fromIssues(error.issues, given, flagKeys.code));
}

/** Names that are not defined, and dependencies that go round in a circle. */
function findProblems(
  { flags, overrides, clientOverrides }: TypedFlags,
  names: readonly string[],
  clientKey: string,
): readonly FieldError[] {
  const uses = [
    ...Object.entries(flags).flatMap(([flag, { dependencies }]) =>
      dependencies.map((name, index) => ({ name, place: ["flags", flag, "dependencies", String(index)] })),
    ),
    ...Object.keys(overrides).map((name) => ({ name, place: ["overrides", name] })),
    ...Object.entries(clientOverrides).flatMap(([client, own]) =>
      Object.keys(own).map((name) => ({ name, place: [clientKey, client, name] })),
    ),
  ];
  const known = new Set(names);
  const unknown = uses.filter(({ name }) => !known.has(name));
  if (unknown.length > 0) return unknown.map(({ place, name }) => toUnknownFlag(place, name, names));

  const circle = findCycle(new Map(Object.entries(flags)));
  const [first] = circle ?? [];
  if (circle === undefined || first === undefined) return [];
  return [
    toProblem(["flags", first, "dependencies"], "circle", `go round in a circle: ${circle.join(" → ")}`),
  ];
}

function toSet({ flags, overrides, clientOverrides }: TypedFlags, above?: TypedFlags): FlagSet {
  const clients = { ...clientOverrides, ...above?.clientOverrides };
  return {
    flags: new Map(Object.entries(flags)),
    overrides: new Map(Object.entries({ ...overrides, ...above?.overrides })),
    clientOverrides: new Map(
      Object.keys(clients).map((client) => [
        client,
        new Map(Object.entries({ ...own(clientOverrides, client), ...own(above?.clientOverrides, client) })),
      ]),
    ),
  };
}

/** What stands under a key itself: a client may be called `constructor`. */
function own<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
