import type { ErrorCode } from "@foundry-mcp/contract";
import { brokenEnvelopes, lookalikes } from "./envelope-tool.ts";

/** One call of the table, with the expected payload or error code. */
export interface MatrixCall {
  readonly title: string;
  readonly tool: string;
  readonly args?: Record<string, unknown>;
  readonly gives: ErrorCode | "BUILD_BROKEN" | Readonly<Record<string, unknown>>;
}

const call = (
  title: string,
  tool: string,
  args: Record<string, unknown> | undefined,
  gives: MatrixCall["gives"],
): MatrixCall => ({ title, tool, ...(args === undefined ? {} : { args }), gives });

const hi = { text: "hi", times: 1 };

const names = [
  call("a plain tool", "echo", { text: "hi" }, hi),
  call("an alias", "repeat", { text: "hi" }, hi),
  call("an alias in kebab-case", "say-again", { text: "hi" }, hi),
  call("no arguments at all", "nothing", undefined, {}),
  call("empty arguments", "nothing", {}, {}),
  call("a tool in kebab-case", "note-book", { action: "read-one", note_id: "note-03" }, noteOf(3)),
  call("an alias of a tool", "notes", { action: "read-one", note_id: "note-03" }, noteOf(3)),
  call("an action in snake_case", "note_book", { action: "read_one", note_id: "note-03" }, noteOf(3)),
  call("an alias of an action", "note_book", { action: "get", note_id: "note-03" }, noteOf(3)),
  call("that alias in kebab-case", "note_book", { action: "show-one", note_id: "note-03" }, noteOf(3)),
  call("an alias of a parameter", "note_book", { action: "get", noteId: "note-03" }, noteOf(3)),
  call(
    "both names of a parameter",
    "note_book",
    { action: "get", noteId: "x", note_id: "y" },
    "VALIDATION_ERROR",
  ),
  call("no action", "note_book", {}, "MISSING_REQUIRED"),
  call("a null action", "note_book", { action: null }, "MISSING_REQUIRED"),
  call("an action that is no text", "note_book", { action: 7 }, "INVALID_FORMAT"),
  call("an unknown action", "note_book", { action: "lst" }, "VALIDATION_ERROR"),
  call(
    "an action named like a member of every object",
    "note_book",
    { action: "constructor" },
    "VALIDATION_ERROR",
  ),
  call("a parameter of another action", "note_book", { action: "list", note_id: "x" }, "VALIDATION_ERROR"),
  call("a parameter of a tool without any", "nothing", { extra: 1 }, "VALIDATION_ERROR"),
  call("a note that does not exist", "note_book", { action: "get", note_id: "no" }, "NOT_FOUND"),
];

const settled = { name: "ADA", size: "small", tags: ["none"], parent: null };

const inputs = [
  call("defaults and a transform", "settled", { name: " ada ", parent: null }, settled),
  call(
    "null as absent",
    "settled",
    { name: "ada", parent: null, size: null, tags: null, since: null, note: null },
    settled,
  ),
  call(
    "everything given",
    "settled",
    { name: "ada", size: "large", tags: [], since: "2026-11-15", parent: "p", note: "n" },
    { name: "ADA", size: "large", tags: [], since: "2026-11-15", parent: "p", note: "n" },
  ),
  call("a null that is required", "settled", { name: null, parent: null }, "MISSING_REQUIRED"),
  call("a missing parameter", "echo", {}, "MISSING_REQUIRED"),
  call("a wrong type", "echo", { text: 7 }, "INVALID_FORMAT"),
  call("a value out of bounds", "echo", { text: "hi", times: 9 }, "VALIDATION_ERROR"),
  call("a text that is too long", "echo", { text: "x".repeat(20_000) }, "VALIDATION_ERROR"),
  call(
    "several faults at once",
    "settled",
    { size: "huge", tags: "a", since: "soon", what: 1 },
    "VALIDATION_ERROR",
  ),
  call("a misspelt parameter", "echo", { txet: "hi" }, "VALIDATION_ERROR"),
  call("a schema of another library", "bare_schema", { even: 4 }, { half: 2 }),
  call("what that schema refuses", "bare_schema", { even: 3 }, "VALIDATION_ERROR"),
  call(
    "parameters of any name",
    "open",
    { known: 1, "any name": [null] },
    {
      keys: ["any name", "known"],
      input: { known: 1, "any name": [null] },
    },
  ),
  call(
    "a null among parameters of any name",
    "open",
    { other: null },
    {
      keys: ["other"],
      input: { other: null },
    },
  ),
  call(
    "Unicode",
    "unicode",
    { テキスト: "👩‍🚀é語\u2029" },
    {
      text: "👩‍🚀é語\u2029",
      points: 6,
      clé: "é\u2028\u0000👩‍🚀",
    },
  ),
];

const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => noteOf(from + index).note);

const pages = [
  call("the first page", "note_book", { action: "list", limit: 2 }, { notes: rows(0, 2), total_count: 25 }),
  call(
    "a page of the default size",
    "note_book",
    { action: "find" },
    { notes: rows(0, 10), total_count: 25 },
  ),
  call("a filter", "note_book", { action: "list", min_rank: 24 }, { notes: rows(0, 2), total_count: 25 }),
  call("an empty list", "note_book", { action: "list", min_rank: 99 }, { notes: [], total_count: 25 }),
  call("children", "note_book", { action: "children", limit: 2 }, { notes: rows(23, 25).toReversed() }),
  call("a page of a database", "note_book", { action: "scan", limit: 3 }, { notes: rows(0, 3) }),
  call("a limit of nothing", "note_book", { action: "list", limit: 0 }, "VALIDATION_ERROR"),
  call("a limit too high", "note_book", { action: "list", limit: 21 }, "VALIDATION_ERROR"),
  call("a limit that is no number", "note_book", { action: "list", limit: "two" }, "INVALID_FORMAT"),
  call("a cursor that is none", "note_book", { action: "list", cursor: "nonsense" }, "INVALID_CURSOR"),
  call("a cursor that is no text", "note_book", { action: "list", cursor: {} }, "INVALID_FORMAT"),
  call("a list that forgot its page", "note_book", { action: "unpaged" }, "INTERNAL_ERROR"),
  call("a page that no one promised", "note_book", { action: "pages_unasked" }, "INTERNAL_ERROR"),
];

const thrownCodes: Readonly<Record<string, ErrorCode | "BUILD_BROKEN">> = {
  not_found: "SPEC_NOT_FOUND",
  conflict: "INVALID_STATE",
  duplicate: "DUPLICATE_ENTRY",
  unauthorized: "UNAUTHORIZED",
  forbidden: "FORBIDDEN",
  feature_disabled: "FEATURE_DISABLED",
  upgrade_required: "UPGRADE_REQUIRED",
  rate_limited: "RATE_LIMIT_EXCEEDED",
  unavailable: "UNAVAILABLE",
  timed_out: "TIMEOUT",
  cancelled: "CANCELLED",
  validation: "VALIDATION_ERROR",
  own_code: "BUILD_BROKEN",
  system_error: "DEPENDENCY_UNAVAILABLE",
  abort_error: "CANCELLED",
};
const internally = [
  "internal",
  "contract_error",
  "error",
  "type_error",
  "aggregate",
  "string",
  "undefined",
  "null",
  "number",
  "symbol",
  "object",
  "hostile",
  "unwritable_details",
];

const throws = [
  ...Object.entries(thrownCodes),
  ...internally.map((name) => [name, "INTERNAL_ERROR"] as const),
].flatMap(([name, code]) => [
  call(`${name} thrown`, "throws", { action: name }, code),
  call(`${name} rejected`, "throws", { action: name, later: true }, code),
]);

const good: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  date: { date: "1970-01-01T00:00:00.000Z", nested: ["1970-01-01T00:00:00.001Z"] },
  undefined_member: { there: 1 },
  null: {},
};
const bad = [
  "array",
  "string",
  "number",
  "boolean",
  "function",
  "big_int_alone",
  "big_int",
  "cyclic",
  "map",
  "set",
  "not_a_number",
  "infinite",
  "inner_function",
  "symbol",
  "bad_date",
  "deep",
  "throwing_getter",
  "lying_json",
  "rejected",
];

const returns = [
  ...Object.entries(good).map(([name, data]) => call(`${name} returned`, "returns", { action: name }, data)),
  ...bad.map((name) => call(`${name} returned`, "returns", { action: name }, "INTERNAL_ERROR")),
  call("half a character", "half_character", {}, { half: "a\ufffdb" }),
  call("a broken promise about the output", "broken", { action: "output" }, "INTERNAL_ERROR"),
  call("a malformed attachment", "broken", { action: "attachment" }, "INTERNAL_ERROR"),
  call("a failure with a warning", "broken", { action: "warned_failure" }, "UNAVAILABLE"),
  call("warnings", "warned", {}, { ok: true }),
  call("attachments", "attached", {}, { attached: 5 }),
];

const envelope = (title: string, action: string, gives: MatrixCall["gives"]) =>
  call(title, "envelopes", { action }, gives);

const envelopes = [
  envelope("a success as an envelope", "success", { state: "on" }),
  envelope("a failure as an envelope", "failure", "SPEC_NOT_FOUND"),
  envelope("a failure as the envelope of a promise", "later", "CONFLICT"),
  envelope("a copy of an envelope", "copied", { n: 1 }),
  envelope("a failure without code", "bare_failure", "INTERNAL_ERROR"),
  envelope("an envelope that breaks the output schema", "breaks_output", "INTERNAL_ERROR"),
  envelope("a failure as an envelope, with a warning", "attached_failure", "UNAVAILABLE"),
  envelope("an envelope with its own page", "own_page", { rows: [1, 2] }),
  envelope("an envelope with a page of the context", "pager", { rows: [1, 2] }),
  envelope("a list that fails with an envelope", "unpaged_failure", "FORBIDDEN"),
  envelope("an envelope that forgot its page", "unpaged", "INTERNAL_ERROR"),
  ...Object.entries(lookalikes).map(([name, value]) => envelope(`no envelope: ${name}`, name, value)),
  ...Object.keys(brokenEnvelopes).map((name) =>
    envelope(`a broken envelope: ${name}`, name, "INTERNAL_ERROR"),
  ),
];

const slow = ["hang", "late", "late_failure", "holds_thread"].map((name) =>
  call(`a deadline: ${name}`, "slow", { action: name }, "TIMEOUT"),
);

const builtIn = [
  call("an unknown tool in server(action=schema)", "server", { action: "schema", tool: "ech" }, "NOT_FOUND"),
  call("an unknown action of server", "server", { action: "shcema" }, "VALIDATION_ERROR"),
];

/** The calls whose response must be the same on every surface. */
export const matrixCalls: readonly MatrixCall[] = [
  ...names,
  ...inputs,
  ...pages,
  ...throws,
  ...returns,
  ...envelopes,
  ...slow,
  ...builtIn,
];

/** Calls with long responses, which are only compared between surfaces. */
export const describingCalls: readonly Omit<MatrixCall, "gives">[] = [
  { title: "the tools", tool: "server", args: { action: "tools" } },
  { title: "a page of the tools", tool: "server", args: { action: "tools", limit: 2 } },
  { title: "the schema of a tool", tool: "server", args: { action: "schema", tool: "note_book" } },
  {
    title: "the schema of an action",
    tool: "server",
    args: { action: "schema", tool: "notes", for_action: "get" },
  },
  { title: "the capabilities", tool: "server", args: { action: "capabilities" } },
  { title: "a key that is a trap", tool: "returns", args: { action: "own_proto" } },
  { title: "an instance of a class", tool: "returns", args: { action: "class_instance" } },
  { title: "an error without words", tool: "throws", args: { action: "blank_message" } },
];

function noteOf(index: number) {
  return { note: { id: `note-${String(index).padStart(2, "0")}`, rank: 25 - index } };
}
