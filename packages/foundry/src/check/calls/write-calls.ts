import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";

/** A call that the checker suggests for an operation which it may not call unasked. */
export interface PlannedCall {
  readonly name: string;
  readonly tool: string;
  readonly arguments: UnknownRecord;
  readonly expect?: "failure" | undefined;
  /** Remarks on its arguments: where they come from and what to edit. */
  readonly remarks: readonly string[];
}

const introduction = [
  "Calls of tools and actions that may change something, in the order in which the checker makes them.",
  "Edit the arguments, remove the calls that must not be made, and run the check on data that may change.",
  'With expect = "success" or error_code = "…" an answer that differs breaks MCP-20.',
];
const searchRemark =
  "Where a call fails, try other arguments for the same tool and action. Remove this to make the calls as they stand.";

/** Writes a calls file; TOML, unless its name ends in `.json`, which has no room for the remarks. */
export function writeCalls(calls: readonly PlannedCall[], file: string): string {
  if (/\.json$/i.test(file)) {
    const bare = calls.map(({ remarks: _, ...call }) => call);
    return `${JSON.stringify({ search: true, calls: bare }, null, 2)}\n`;
  }
  const entries = calls.map(({ name, tool, arguments: args, expect, remarks }) =>
    [
      "[[calls]]",
      `name = ${toToml(name)}`,
      `tool = ${toToml(tool)}`,
      ...remarks.map(toComment),
      `arguments = ${toToml(args)}`,
      expect === undefined ? '# expect = "success"' : `expect = ${toToml(expect)}`,
    ].join("\n"),
  );
  const search = `${toComment(searchRemark)}\nsearch = true`;
  return `${[introduction.map(toComment).join("\n"), search, ...entries].join("\n\n")}\n`;
}

/** A comment ends with its line, and TOML admits no control characters in it. */
function toComment(text: string): string {
  return `# ${text.replaceAll(/\p{Cc}+/gu, " ").toWellFormed()}`;
}

/** Writes a value inline; TOML has no null, so members that are null are left out. */
function toToml(value: unknown): string {
  if (Array.isArray(value)) {
    const items = (value as unknown[]).filter((item) => item !== null).map(toToml);
    return `[${items.join(", ")}]`;
  }
  if (isRecord(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
    const written = members.map(([key, member]) => `${toKey(key)} = ${toToml(member)}`);
    return written.length === 0 ? "{}" : `{ ${written.join(", ")} }`;
  }
  // An integer that is not safe is refused as such, and taken as a float.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return (value as number).toExponential();
  // The escapes of JSON are those of TOML, but for DEL, which TOML wants escaped.
  const text = JSON.stringify(typeof value === "string" ? value.toWellFormed() : value) ?? '""';
  return text.replaceAll("\u007f", "\\u007f");
}

function toKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : toToml(key);
}
