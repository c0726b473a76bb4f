import {
  checkEnvelope,
  type Dialect,
  detectDialect,
  type Envelope,
  envelopeV1Schema,
  readEnvelope,
  responseV1Schema,
  toEnvelopeV1,
  toResponseV1,
} from "@foundry-mcp/contract";
import { parseJsonText } from "@foundry-mcp/contract/input";
import { toList, toRecord, toText } from "../api/envelope.ts";

/** What a pasted text is. */
export type Pasted =
  | { readonly kind: "empty" }
  | { readonly kind: "not-json"; readonly message: string }
  | { readonly kind: "report"; readonly report: Report }
  | {
      readonly kind: "answer";
      readonly dialect: Dialect | null;
      readonly findings: readonly Finding[];
      /**
       * The same answer in each dialect. If a dialect cannot express the answer, its entry is a text with the reason.
       */
      readonly forms: readonly { readonly dialect: Dialect; readonly value: unknown }[];
      readonly problem: string;
    };

/** A rule that an answer breaks. */
export interface Finding {
  readonly rule: string;
  readonly level: string;
  readonly path: string;
  readonly message: string;
  readonly remedy: string;
}

/** A report of the checker. */
export interface Report {
  readonly verdict: string;
  readonly target: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly rules: readonly {
    readonly rule: string;
    readonly level: string;
    readonly title: string;
    readonly status: string;
    readonly checks: number;
    readonly broken: number;
    readonly reason: string;
    readonly findings: readonly unknown[];
  }[];
}

/** Dialects name the tool that answered, which an answer of another dialect does not. */
const unnamedTool = {
  tier: "community",
  toolId: "unknown",
  toolVersion: "0.0.0",
  capabilities: ["response-v2"],
} as const;

/** Reads a pasted text: an answer of a tool in any dialect, the MCP result that contains one, or a checker's report. */
export function readPasted(text: string): Pasted {
  if (text.trim() === "") return { kind: "empty" };
  let value: unknown;
  try {
    value = parseJsonText(text);
  } catch (cause) {
    return { kind: "not-json", message: cause instanceof Error ? cause.message : String(cause) };
  }
  const answer = unwrap(value);
  const report = toReport(answer);
  if (report !== undefined) return { kind: "report", report };
  const dialect = detectDialect(answer);
  const findings = toFindings(answer, dialect);
  try {
    const envelope = readEnvelope(answer);
    return { kind: "answer", dialect, findings, forms: toForms(envelope), problem: "" };
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    return { kind: "answer", dialect, findings, forms: [], problem };
  }
}

function toForms(envelope: Envelope): readonly { readonly dialect: Dialect; readonly value: unknown }[] {
  return [
    { dialect: "response-v2", value: envelope },
    { dialect: "envelope-v1", value: toEnvelopeV1(envelope, unnamedTool) },
    { dialect: "response-v1", value: toResponseV1(envelope) },
  ];
}

/** People paste what they have: an answer, a JSON-RPC message with it, or the MCP result around it. */
function unwrap(value: unknown): unknown {
  const { jsonrpc, result } = toRecord(value);
  const inner = jsonrpc === undefined ? value : result;
  const { structuredContent, content } = toRecord(inner);
  if (structuredContent !== undefined) return structuredContent;
  const [block] = toList(content);
  const text = toText(toRecord(block)["text"]);
  if (text === "") return inner;
  try {
    return parseJsonText(text);
  } catch {
    return inner;
  }
}

function toReport(value: unknown): Report | undefined {
  const data = toRecord(toRecord(value)["data"]);
  const own = Array.isArray(data["rules"]) ? data : toRecord(value);
  if (!Array.isArray(own["rules"]) || typeof own["verdict"] !== "string") return undefined;
  const counts = Object.entries(toRecord(own["counts"])).filter(
    (each): each is [string, number] => typeof each[1] === "number",
  );
  return {
    verdict: own["verdict"],
    target: toText(toRecord(own["server"])["target"]) || toText(toRecord(own["server"])["name"]),
    counts: Object.fromEntries(counts),
    rules: own["rules"].map((each) => {
      const { rule, level, title, status, checks, broken, reason, findings } = toRecord(each);
      return {
        rule: toText(rule),
        level: toText(level),
        title: toText(title),
        status: toText(status),
        checks: Number(checks) || 0,
        broken: Number(broken) || 0,
        reason: toText(reason),
        findings: toList(findings),
      };
    }),
  };
}

/**
 * The older dialects have a schema, and no list of rules. An answer in no known dialect is checked against the newest
 * dialect.
 */
function toFindings(answer: unknown, dialect: Dialect | null): readonly Finding[] {
  if (dialect === null || dialect === "response-v2") return checkEnvelope(answer);
  const schema = dialect === "envelope-v1" ? envelopeV1Schema : responseV1Schema;
  const issues = schema.safeParse(answer).error?.issues ?? [];
  return issues.map(({ path, message }) => ({
    rule: "schema",
    level: "MUST",
    path: ["$", ...path.map(String)].join("."),
    message,
    remedy: `Follow the JSON Schema of ${dialect}.`,
  }));
}
