import { isDeepStrictEqual } from "node:util";
import type { Dialect } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import type { Ledger } from "../findings/ledger.ts";
import { evidenceOf } from "../observe/evidence.ts";
import type { Observation } from "../observe/observation.ts";
import type { TimeBudget } from "../observe/time-budget.ts";
import { compileSchema } from "../schemas/compile-schema.ts";
import { collectTexts } from "./collect-texts.ts";
import { findLeak } from "./find-leak.ts";
import { judgeEnvelopeV1, judgeResponseV1 } from "./judge-envelope-v1.ts";
import { judgeResponseV2, type RuleOutcomes } from "./judge-response-v2.ts";

/** The context in which an answer is checked. */
export interface AnswerContext {
  readonly ledger: Ledger;
  readonly dialect: Dialect;
  /** False for a server that never sends envelopes. The rules about envelopes do not apply to such a server. */
  readonly hasEnvelopes: boolean;
  /** Output schemas by tool name. The value is undefined for a tool that declares no output schema. */
  readonly outputSchemas: ReadonlyMap<string, unknown>;
  /**
   * Texts of the definitions by tool name. A failure may repeat the text of a definition, because definitions are
   * public.
   */
  readonly definitions?: ReadonlyMap<string, string> | undefined;
  readonly secrets: readonly string[];
  /** Folders of the server's process, if the folders are known. */
  readonly folders?: readonly string[] | undefined;
  /** Paths that were passed to the server when it started. */
  readonly given?: readonly string[] | undefined;
  readonly budget?: TimeBudget | undefined;
}

/** Checks an answer against every rule that applies to all answers. */
export function judgeAnswer(observation: Observation, context: AnswerContext): void {
  const { reply, outcome, tool } = observation;
  if (outcome === "none" || outcome === "pending") return;
  judgeLeaks(observation, context);
  // For an unknown tool, a JSON-RPC error is the correct response.
  if (!context.outputSchemas.has(tool)) return;
  if (reply.kind === "error") {
    context.ledger.fail("MCP-28", evidenceOf(observation, "A JSON-RPC error came in place of a tool result"));
    return;
  }
  if (outcome !== "success") context.ledger.pass("MCP-28");
  judgeSchema(observation, context);
  if (!context.hasEnvelopes) return;
  judgeShape(observation, context);
  judgeChannels(observation, context);
  judgeFlag(observation, context);
  judgeRequestId(observation, context);
}

/** Checks a value against the shape of a dialect. */
export function judgeValue(value: unknown, dialect: Dialect, tool?: string): RuleOutcomes {
  if (dialect === "envelope-v1") return judgeEnvelopeV1(value, tool);
  return dialect === "response-v1" ? judgeResponseV1(value) : judgeResponseV2(value);
}

function judgeShape(observation: Observation, { ledger, dialect }: AnswerContext): void {
  for (const [rule, violation] of judgeValue(observation.value, dialect, observation.tool))
    ledger.record(rule, violation && evidenceOf(observation, violation.message, violation));
  const { text, parsed, envelope, value } = observation;
  if (dialect !== "response-v2" || text === undefined || envelope === undefined) return;
  // A text that begins like an envelope but cannot be parsed is broken JSON. Rule MCP-11 covers other texts.
  const isBroken = parsed === undefined && text.trimStart().startsWith("{") && isRecord(value);
  ledger.record(
    "RV2-09",
    isBroken ? evidenceOf(observation, "the text is no JSON", { evidence: text.slice(0, 300) }) : undefined,
  );
}

function judgeChannels(observation: Observation, { ledger }: AnswerContext): void {
  const { result, text, parsed, envelope } = observation;
  if (envelope === undefined || result === undefined) return;
  const structured = result["structuredContent"];
  const found =
    structured === undefined
      ? "the envelope stands in the text alone"
      : text === undefined
        ? "the envelope stands in the structured content alone"
        : parsed === undefined
          ? text.trimStart().startsWith("{")
            ? undefined
            : "the text is not the envelope"
          : isDeepStrictEqual(parsed, structured)
            ? undefined
            : "text and structured content differ";
  const evidence = text === undefined ? {} : { evidence: `text: ${text.slice(0, 280)}` };
  ledger.record("MCP-11", found === undefined ? undefined : evidenceOf(observation, found, evidence));
}

function judgeFlag(observation: Observation, { ledger }: AnswerContext): void {
  const { envelope, result } = observation;
  if (envelope === undefined || result === undefined) return;
  const isMarked = result["isError"] === true;
  const message = `isError is ${isMarked} and success is ${envelope.success}`;
  ledger.record("MCP-12", isMarked === envelope.success ? evidenceOf(observation, message) : undefined);
}

function judgeRequestId(observation: Observation, { ledger, dialect }: AnswerContext): void {
  const { envelope, requestId } = observation;
  const sent = envelope?.meta.request_id;
  // Rule RV2-14 reports an answer without an id. The dialect response-v1 has no field for an id.
  if (typeof sent !== "string" || dialect === "response-v1") return;
  const message = `the call's request id is "${requestId}", the answer's "${sent}"`;
  ledger.record("MCP-13", sent === requestId ? undefined : evidenceOf(observation, message));
}

function judgeLeaks(
  observation: Observation,
  { ledger, secrets, definitions, folders = [], given = [] }: AnswerContext,
): void {
  const { outcome, reply, args, tool } = observation;
  if (outcome === "success") return;
  const texts = collectTexts(reply.kind === "error" ? [reply.message, reply.data] : observation.result);
  const leak = findLeak(texts, {
    sent: collectTexts(args).join("\n"),
    definition: definitions?.get(tool) ?? "",
    secrets,
    folders,
    given,
  });
  const message = `the failure tells ${leak?.name}`;
  ledger.record("MCP-14", leak && evidenceOf(observation, message, { evidence: leak.words.slice(0, 300) }));
}

function judgeSchema(observation: Observation, { ledger, outputSchemas, budget }: AnswerContext): void {
  const { tool, result, outcome } = observation;
  const schema = outputSchemas.get(tool);
  const structured = result?.["structuredContent"];
  if (schema === undefined || structured === undefined || budget?.isSpent) return;
  const judge = () => {
    const compiled = compileSchema(schema);
    return compiled.ok ? compiled.check(structured) : undefined;
  };
  const problems = budget === undefined ? judge() : budget.spend(judge);
  if (problems === undefined) return;
  const [problem] = problems;
  const rule = outcome === "success" ? "MCP-08" : "MCP-07";
  ledger.record(
    rule,
    problem && evidenceOf(observation, `${problem.path}: ${problem.message}`, { path: problem.path }),
  );
}
