import { isDeepStrictEqual } from "node:util";
import type { Dialect } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import type { Ledger } from "../findings/ledger.ts";
import { evidenceOf } from "../observe/evidence.ts";
import type { Observation } from "../observe/observation.ts";
import type { TimeBudget } from "../observe/time-budget.ts";
import { compileSchema } from "../schemas/compile-schema.ts";
import { findLeak } from "./find-leak.ts";
import { judgeEnvelopeV1, judgeResponseV1 } from "./judge-envelope-v1.ts";
import { judgeResponseV2, type Verdict } from "./judge-response-v2.ts";
import { textsIn } from "./texts-in.ts";

/** What answers are held against. */
export interface AnswerContext {
  readonly ledger: Ledger;
  readonly dialect: Dialect;
  /** The output schemas of the tools by name; undefined where a tool declares none. */
  readonly outputSchemas: ReadonlyMap<string, unknown>;
  /** The texts of the tools' definitions by name: what they tell is no leak. */
  readonly definitions?: ReadonlyMap<string, string> | undefined;
  readonly secrets: readonly string[];
  /** Folders of the server's process, where they are known. */
  readonly places?: readonly string[] | undefined;
  readonly budget?: TimeBudget | undefined;
}

/** Holds an answer to every rule that speaks of any answer. */
export function judgeAnswer(observation: Observation, context: AnswerContext): void {
  const { reply, outcome, tool } = observation;
  if (outcome === "none" || outcome === "pending") return;
  judgeLeaks(observation, context);
  // Of a tool that there is not, a JSON-RPC error is the right answer.
  if (!context.outputSchemas.has(tool)) return;
  if (reply.kind === "error") {
    context.ledger.break(
      "MCP-28",
      evidenceOf(observation, "A JSON-RPC error came in place of a tool result"),
    );
    return;
  }
  if (outcome !== "success") context.ledger.keep("MCP-28");
  judgeShape(observation, context);
  judgeChannels(observation, context);
  judgeFlag(observation, context);
  judgeRequestId(observation, context);
  judgeSchema(observation, context);
}

/** What a value lacks to be an envelope of a dialect. */
export function judgeValue(value: unknown, dialect: Dialect, tool?: string): Verdict {
  if (dialect === "envelope-v1") return judgeEnvelopeV1(value, tool);
  return dialect === "response-v1" ? judgeResponseV1(value) : judgeResponseV2(value);
}

function judgeShape(observation: Observation, { ledger, dialect }: AnswerContext): void {
  for (const [rule, shortfall] of judgeValue(observation.value, dialect, observation.tool))
    ledger.hold(rule, shortfall && evidenceOf(observation, shortfall.message, shortfall));
  const { text, parsed, envelope, value } = observation;
  if (dialect !== "response-v2" || text === undefined || envelope === undefined) return;
  // A text that looks like the envelope and cannot be read is broken JSON; any other is another channel's matter.
  const isBroken = parsed === undefined && text.trimStart().startsWith("{") && isRecord(value);
  ledger.hold(
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
  ledger.hold("MCP-11", found === undefined ? undefined : evidenceOf(observation, found, evidence));
}

function judgeFlag(observation: Observation, { ledger }: AnswerContext): void {
  const { envelope, result } = observation;
  if (envelope === undefined || result === undefined) return;
  const isMarked = result["isError"] === true;
  const message = `isError is ${isMarked} and success is ${envelope.success}`;
  ledger.hold("MCP-12", isMarked === envelope.success ? evidenceOf(observation, message) : undefined);
}

function judgeRequestId(observation: Observation, { ledger, dialect }: AnswerContext): void {
  const { envelope, requestId } = observation;
  const sent = envelope?.meta.request_id;
  // An answer without an id is told by RV2-14; response-v1 has no place for one.
  if (typeof sent !== "string" || dialect === "response-v1") return;
  const message = `the call's request id is "${requestId}", the answer's "${sent}"`;
  ledger.hold("MCP-13", sent === requestId ? undefined : evidenceOf(observation, message));
}

function judgeLeaks(
  observation: Observation,
  { ledger, secrets, definitions, places = [] }: AnswerContext,
): void {
  const { outcome, reply, args, tool } = observation;
  if (outcome === "success") return;
  const texts = textsIn(reply.kind === "error" ? [reply.message, reply.data] : observation.result);
  const leak = findLeak(texts, {
    sent: textsIn(args).join("\n"),
    told: definitions?.get(tool) ?? "",
    secrets,
    places,
  });
  const message = `the failure tells ${leak?.name}`;
  ledger.hold("MCP-14", leak && evidenceOf(observation, message, { evidence: leak.words.slice(0, 300) }));
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
  ledger.hold(
    rule,
    problem && evidenceOf(observation, `${problem.path}: ${problem.message}`, { path: problem.path }),
  );
}
