import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";

/** A call that the checker suggests to the user, because it cannot or may not make the call itself. */
export interface PlannedCall {
  readonly name: string;
  readonly tool: string;
  readonly arguments: UnknownRecord;
  readonly expect?: "failure" | undefined;
  /** Remarks that say where the arguments come from and what to edit. */
  readonly remarks: readonly string[];
}

const introduction = [
  "Calls for what the check did not see, in the order in which the checker makes them.",
  "Edit the arguments, remove the calls that must not be made, and run the check on data that may change.",
  'With expect = "success" or error_code = "…" an answer that differs breaks MCP-20.',
];
const searchRemark =
  "Where a call fails, try other arguments for the same tool and action. Remove this to make the calls as they stand.";

/** Writes a calls file as TOML, or as JSON without the remarks if the file name ends in `.json`. */
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

/**
 * Turns a text into a one-line TOML comment. Control characters are replaced, because TOML allows none in a
 * comment.
 */
function toComment(text: string): string {
  return `# ${text.replaceAll(/\p{Cc}+/gu, " ").toWellFormed()}`;
}

/** Writes a value as inline TOML. Fields that are null are left out, because TOML has no null. */
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
  // TOML rejects an unsafe integer but accepts the same number as a float.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return (value as number).toExponential();
  // TOML has the same escapes as JSON, except that DEL must be escaped in TOML.
  const text = JSON.stringify(typeof value === "string" ? value.toWellFormed() : value) ?? '""';
  return text.replaceAll("\u007f", "\\u007f");
}

function toKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : toToml(key);
}
