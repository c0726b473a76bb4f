import {
  type Dialect,
  errorResponse,
  isRecord,
  toEnvelopeV1,
  toResponseV1,
  type UnknownRecord,
} from "@foundry-mcp/contract";
import type { Evidence, Ledger } from "../findings/ledger.ts";
import type { ToolDefinition } from "../observe/definition.ts";
import { toEvidence } from "../observe/evidence.ts";
import { compileSchema } from "../schemas/compile-schema.ts";
import { tokensOver } from "./count-tokens.ts";

const maxTokens = { one: 2_000, all: 10_000 };

/** Checks the entries of `tools/list` against the rules for tool definitions. */
export async function judgeDefinitions(
  listed: readonly unknown[],
  tools: readonly ToolDefinition[],
  ledger: Ledger,
  isStopped: () => boolean = () => false,
) {
  for (const raw of listed) {
    const isNamed = isRecord(raw) && typeof raw["name"] === "string";
    if (!isNamed) ledger.fail("MCP-01", { message: "a tool has no name", evidence: toEvidence(raw) });
  }
  const names = new Set<string>();
  for (const tool of tools) {
    if (isStopped()) return;
    judgeName(tool, names, ledger);
    judgeDescription(tool, ledger);
    judgeInput(tool, ledger);
    const hasOutput = tool.outputSchema !== undefined;
    ledger.record(
      "MCP-06",
      hasOutput ? undefined : { tool: tool.name, message: "it declares no output schema" },
    );
    await judgeSize(tool, ledger);
  }
  const tokens = await tokensOver(toText(listed), maxTokens.all);
  const message = `all definitions together take ${tokens?.toLocaleString("en")} tokens`;
  if (tools.length > 0) ledger.record("MCP-09", tokens === undefined ? undefined : { message });
}

/**
 * Checks that an output schema admits failure envelopes. `isHeld` is false if the tool sends no failures as
 * structured content, because clients validate only structured content against the schema.
 */
export function judgeOutputSchema(
  { name, outputSchema }: ToolDefinition,
  dialect: Dialect,
  ledger: Ledger,
  isHeld = true,
): void {
  if (outputSchema === undefined) return;
  const compiled = compileSchema(outputSchema);
  if (!compiled.ok) {
    ledger.fail("MCP-07", { tool: name, message: `the output schema cannot be used: ${compiled.problem}` });
    return;
  }
  if (!isHeld) {
    ledger.exempt("MCP-07", "no failure came with structured content");
    return;
  }
  const [problem] = compiled.check(failureIn(dialect, name));
  const message = problem && `a failure is refused at ${problem.path}: ${problem.message}`;
  ledger.record(
    "MCP-07",
    message === undefined ? undefined : { tool: name, message, evidence: toEvidence(outputSchema) },
  );
}

function failureIn(dialect: Dialect, tool: string): unknown {
  const failure = errorResponse("The argument id is missing", {
    errorCode: "MISSING_REQUIRED",
    details: { field: "id", constraint: "required" },
    requestId: "check-0",
  });
  if (dialect === "response-v2") return failure;
  if (dialect === "response-v1") return toResponseV1(failure);
  return toEnvelopeV1(failure, { toolId: tool, toolVersion: "1.0.0", tier: "community" });
}

function judgeName({ name }: ToolDefinition, names: Set<string>, ledger: Ledger): void {
  const isLegal = /^[A-Za-z0-9_.-]{1,128}$/.test(name);
  const isNew = !names.has(name);
  names.add(name);
  const message = isLegal ? "two tools have this name" : "the name has other characters, or is too long";
  ledger.record("MCP-01", isLegal && isNew ? undefined : { tool: name, message });
  if (!isLegal) return;
  const fits = /^[A-Za-z0-9_-]{1,64}$/.test(name);
  const why = name.length > 64 ? `the name has ${name.length} characters` : "the name has a dot";
  ledger.record("MCP-02", fits ? undefined : { tool: name, message: why });
}

function judgeDescription({ name, raw }: ToolDefinition, ledger: Ledger): void {
  const { description, annotations, _meta: meta } = raw;
  const isDescribed = typeof description === "string" && description.trim() !== "";
  ledger.record("MCP-03", isDescribed ? undefined : { tool: name, message: "it has no description" });
  const hints = isRecord(annotations) && typeof annotations["readOnlyHint"] === "boolean";
  const actions = isRecord(meta) && isRecord(meta["foundry-mcp/actions"]);
  const message = "it does not say whether it is read-only, so it is not called unasked";
  ledger.record("MCP-10", hints || actions ? undefined : { tool: name, message });
}

function judgeInput({ name: tool, inputSchema }: ToolDefinition, ledger: Ledger): void {
  const evidence = toEvidence(inputSchema);
  if (!isRecord(inputSchema) || inputSchema["type"] !== "object") {
    ledger.fail("MCP-04", { tool, path: "$.inputSchema", message: "its type is not object", evidence });
    return;
  }
  const compiled = compileSchema(inputSchema);
  const problem: Evidence | undefined = compiled.ok
    ? undefined
    : {
        tool,
        path: "$.inputSchema",
        message: `it is no schema that can be used: ${compiled.problem}`,
        evidence,
      };
  ledger.record("MCP-04", problem);
  const choice = ["oneOf", "anyOf", "allOf", "not", "if"].find((key) => Object.hasOwn(inputSchema, key));
  const path = `$.inputSchema.${choice}`;
  ledger.record(
    "MCP-05",
    choice === undefined ? undefined : { tool, path, message: `${choice} stands at its root` },
  );
}

async function judgeSize({ name: tool, raw }: ToolDefinition, ledger: Ledger): Promise<void> {
  const tokens = await tokensOver(toText(raw), maxTokens.one);
  const message = `the definition takes ${tokens?.toLocaleString("en")} tokens`;
  ledger.record("MCP-09", tokens === undefined ? undefined : { tool, message });
}

function toText(value: UnknownRecord | readonly unknown[]): string {
  return JSON.stringify(value);
}
