import type { Registry } from "@foundry-mcp/toolkit";
import fc from "fast-check";
import { type HostileCall, hostileArguments, jsonValue } from "../toolkit/hostile-calls.ts";
import { seeds } from "./fresh-tools.ts";

type Schema = Readonly<Record<string, unknown>>;
type Action = Registry["tools"][number]["actions"] extends ReadonlyMap<string, infer A> ? A : never;

const words = fc.constantFrom(
  "A",
  "Do it",
  "task-1-1",
  "$a",
  "$&",
  "a\nb",
  "\u0000",
  "\ud800",
  "__proto__",
  "../../one",
  "x".repeat(600),
  "y".repeat(20_001),
);
const text = fc.oneof(
  { weight: 3, arbitrary: words },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 30 }) },
);
const node = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      ...["task-1-1", "task-1-2", "task-1-3", "task-1-4", "task-2-1", "task-2-2", "task-2-2-1", "task-2-3"],
      ...["task-1-3", "verify-2-1", "phase-1", "phase-2"],
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("spec-root", "task-9-9", "task-1-6", "phase-3", "__proto__", "$a", ""),
  },
);
const markdown = fc
  .array(
    fc.constantFrom(
      ...[
        "# One",
        "## Phase 1",
        "### Task",
        "- [ ] Do it",
        "- [x] Done",
        "  - [ ] Below",
        "- Blocked by: task-1-1",
      ],
      ...[
        "",
        "---",
        "spec_id: two",
        "```",
        "> Said",
        "| a | b |",
        "<!-- task-1-1 -->",
        "1. One",
        "\t- x",
        "\u0000",
      ],
      ...[
        "## Journal",
        "## Notes",
        "- **Owner**: ada",
        "[a]: http://b",
        "&amp; <b>",
        "x".repeat(700),
        "* [",
        "#",
      ],
    ),
    { maxLength: 12 },
  )
  .map((lines) => lines.join("\n"));

/** Placeholders for revisions of the spec in a call. */
export const revisions = { first: "<first revision>", present: "<present revision>" };
const revision = fc.constantFrom(revisions.first, revisions.present, "1-ffffffff", "");

/** Values that are likely to be valid, by the name of a parameter. */
const likely: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  spec_id: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom("one", "two", "faulty", "held") },
    {
      weight: 1,
      arbitrary: fc.constantFrom("nothing", "", "..", "../one", "__proto__", "ONE", "a/b", ".foundry"),
    },
  ),
  ...Object.fromEntries(["task_id", "parent", "target_id"].map((name) => [name, node])),
  verify_id: fc.oneof(fc.constant("verify-2-1"), node),
  phase_id: fc.oneof(fc.constantFrom("phase-1", "phase-2"), node),
  depends_on: fc.array(node, { maxLength: 3 }),
  ...Object.fromEntries(
    ["to_revision", "from_revision", "if_revision", "since"].map((name) => [name, revision]),
  ),
  claim_token: fc.constantFrom(seeds.token, "2-0"),
  idempotency_key: fc.constantFrom("a", "b", seeds.key, "../k", "\u0000"),
  find: fc.oneof(
    text,
    fc.constantFrom("o", "(", "[", "(?<n>.)", ".", "^", "$", "\\u", "(o+)+$", "(?=)", "\\1"),
  ),
  replace: fc.oneof(text, fc.constantFrom("$1", "$<n>", "$$", "")),
  tool: fc.constantFrom("spec", "task", "nothing"),
  confirm: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.boolean() }),
  markdown,
  metadata: fc.dictionary(
    fc.constantFrom(
      "owner",
      "evidence",
      "command",
      "verification_history",
      "reviews",
      "risks",
      "status",
      "__proto__",
      "x",
    ),
    fc.oneof(text, jsonValue),
    { maxKeys: 3 },
  ),
  // The waits are short, because a missing value or null would mean a minute.
  timeout_seconds: fc.constantFrom(0, 0.01, -1, 1e9, "1", "", {}, true),
};
/** Parameters that are rarely used, because most calls get further without them. */
const rare = new Set(["if_revision", "dry_run", "since", "cursor", "max_tokens", "claim_token"]);

/** Generates values that a schema admits or almost admits. */
function fitting(schema: Schema, name = ""): fc.Arbitrary<unknown> {
  if (Object.hasOwn(likely, name)) return likely[name] as fc.Arbitrary<unknown>;
  const { enum: choices, anyOf, type, minimum = 0, maximum = 10, items, properties, required } = schema;
  if (Array.isArray(choices)) return fc.constantFrom(...(choices as unknown[]));
  if (Array.isArray(anyOf)) return fc.oneof(...(anyOf as Schema[]).map((each) => fitting(each)));
  if (type === "boolean") return fc.boolean();
  if (type === "integer" || type === "number")
    return fc.constantFrom<unknown>(minimum, maximum, 0, 1, 2, 0.5, -1, 1e9);
  if (type === "array") return fc.array(fitting((items ?? {}) as Schema), { maxLength: 3 });
  if (type === "object")
    return objectOf(
      Object.entries((properties ?? {}) as Record<string, Schema>),
      (name) => ((required ?? []) as readonly string[]).includes(name),
      // Among many optional members, one is nearly always invalid.
      0.2,
    );
  return type === "string" ? text : jsonValue;
}

/** Generates an object with some of these members, and sometimes an unexpected value. */
function objectOf(
  members: readonly (readonly [name: string, schema: Schema])[],
  isRequired: (name: string) => boolean = () => false,
  optionalShare = 1,
): fc.Arbitrary<object> {
  const entries = members.map(([name, schema]) => {
    const share = isRequired(name) || name === "timeout_seconds" ? 20 : rare.has(name) ? 0.1 : optionalShare;
    const value = fc.oneof(
      { weight: 30, arbitrary: fitting(schema, name) },
      { weight: name === "timeout_seconds" ? 0 : 1, arbitrary: jsonValue },
    );
    return fc.oneof(
      { weight: Math.ceil(share * 10), arbitrary: value.map((each) => [[name, each]] as const) },
      { weight: name === "timeout_seconds" ? 0 : 10, arbitrary: fc.constant([]) },
    );
  });
  return fc.tuple(...entries).map((all) => Object.fromEntries(all.flat()) as object);
}

function argumentsOf({ input: { parameters } }: Action, isKept: (name: string) => boolean = () => true) {
  const members = [...parameters].filter(([name]) => isKept(name));
  return objectOf(
    members.map(([name, { json }]) => [name, json as Schema] as const),
    (name) => parameters.get(name)?.isRequired ?? false,
  );
}

/** Generates calls of every action of a server. Most calls get far, and each call may contain any fault. */
export function hostileSpecCalls(registry: Registry): fc.Arbitrary<HostileCall> {
  const actions = registry.tools.flatMap(({ name, actions }) =>
    [...actions.values()].map((action) => ({ tool: name, action })),
  );
  const calls = actions.map(({ tool, action }) => {
    const many = action.input.parameters.has("operations");
    return fc
      .tuple(
        argumentsOf(action, (name) => !name.startsWith("operations")),
        many ? operationsOf(actions, action.name) : fc.constant({}),
        fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: hostileArguments }),
      )
      .map(([args, list, more]): HostileCall => {
        const { timeout_seconds: _, ...others } = more as { timeout_seconds?: unknown };
        return { tool, args: { ...others, ...args, ...list, action: action.name } };
      });
  });
  return fc.oneof(...calls);
}

const ofStatus = new Set(["start", "complete", "block", "unblock", "update-status", "reopen"]);
const adding = new Set(["add", "phase-add", "phase-add-bulk"]);
/** Parameters that a list of operations has only once. */
const outer = new Set(["spec_id", "if_revision", "dry_run", "idempotency_key", "max_tokens"]);

/** Generates the operations of `batch` or of `apply`, as a list or as its text. */
function operationsOf(
  all: readonly { readonly tool: string; readonly action: Action }[],
  name: string,
): fc.Arbitrary<object> {
  const some = all.filter(
    ({ tool, action }) =>
      (name === "batch" ? ofStatus.has(action.name) : tool === "task" || tool === "authoring") &&
      action.input.parameters.has("if_revision") &&
      !action.input.parameters.has("operations"),
  );
  const one = ({ action }: { readonly action: Action }) =>
    fc
      .tuple(
        argumentsOf(action, (each) => !outer.has(each)),
        fc.boolean(),
      )
      .map(([args, hasRef]) => ({
        op: action.name,
        ...args,
        ...(hasRef && adding.has(action.name) ? { ref: "a" } : {}),
      }));
  const list = fc.array(fc.oneof(...some.map(one)), { minLength: 1, maxLength: 4 });
  const asList = list.map((operations) => ({ operations }));
  const asText = list.map((operations) => ({ operations_text: JSON.stringify(operations) }));
  return name === "batch" ? asList : fc.oneof(asList, asText);
}
