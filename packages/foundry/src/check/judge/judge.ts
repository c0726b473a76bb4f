import { type Dialect, dialects } from "@foundry-mcp/contract";
import type { Ledger } from "../findings/ledger.ts";
import { evidenceOf } from "../observe/evidence.ts";
import { isAnswered, type Observation } from "../observe/observation.ts";
import type { TimeBudget } from "../observe/time-budget.ts";
import { collectTexts } from "./collect-texts.ts";
import { tokensOver } from "./count-tokens.ts";
import { judgeAnswer } from "./judge-answer.ts";

/**
 * The lowest known limit of a client: Claude Code reads at most this number of tokens of a reply
 * (MAX_MCP_OUTPUT_TOKENS).
 */
const maxReplyTokens = 25_000;

/** The number of envelopes after which the dialect is settled. One envelope is enough if the dialect is given. */
const decidingEnvelopes = 5;

/** For each dialect, the rule that every answer must be an envelope. */
const shapeRules = {
  "response-v2": "RV2-01",
  "envelope-v1": "EV1-01",
  "response-v1": "RV1-01",
} as const satisfies Record<Dialect, string>;

const plainRemedy =
  "Register the tools with wrapTool of @foundry-mcp/toolkit/mcp in place of server.registerTool: it makes the envelopes. Or hold the server to what needs no envelopes: --profile mcp.";

/** Options of a judge. */
export interface JudgeOptions {
  readonly ledger: Ledger;
  /**
   * The dialect to check against.
   * @default the dialect of most of the first envelopes
   */
  readonly dialect?: Dialect | undefined;
  readonly secrets: readonly string[];
  /** Returns the folders of the server's process, if the folders are known. */
  readonly folders?: (() => readonly string[]) | undefined;
  /** Returns the paths that were passed to the server when it started. */
  readonly given?: (() => readonly string[]) | undefined;
  /** Time budget for output schemas. @default unlimited */
  readonly budget?: TimeBudget | undefined;
}

/** Checks every answer against the rules once the dialect of the server is settled. */
export class Judge {
  readonly #options: JudgeOptions;
  readonly #outputSchemas = new Map<string, unknown>();
  readonly #definitions = new Map<string, string>();
  readonly #ids = new Set<string>();
  /** Tools that sent a failure with structured content, and tools that sent a failure without it. */
  readonly #failures = { structured: new Set<string>(), text: new Set<string>() };
  #waiting: Observation[] = [];
  #dialect: Dialect | undefined;
  #envelopes = 0;

  constructor(options: JudgeOptions) {
    this.#options = options;
  }

  /**
   * Adds a tool that the server lists. An answer from any other tool is treated as the refusal of an unknown tool.
   */
  addTool(tool: string, outputSchema: unknown, definition: unknown = {}): void {
    this.#outputSchemas.set(tool, outputSchema);
    this.#definitions.set(tool, collectTexts(definition).join("\n"));
  }

  /** The dialect that the server is checked against. */
  get dialect(): Dialect {
    return this.#dialect ?? this.#options.dialect ?? mostCommon(this.#waiting);
  }

  /** The number of answers that were envelopes of any dialect. */
  get envelopes(): number {
    return this.#envelopes;
  }

  /**
   * Returns true if the output schema of a tool must admit failure envelopes. This is the case if the server sends
   * envelopes, unless all failures of the tool were text only, because clients do not validate text against a schema.
   */
  holdsFailuresToSchema(tool: string): boolean {
    const { structured, text } = this.#failures;
    return this.#envelopes > 0 && (structured.has(tool) || !text.has(tool));
  }

  /** Checks an answer, or queues it until the dialect is settled. */
  observe(observation: Observation): void {
    const { dialect, outcome, tool, result } = observation;
    if (dialect !== null) this.#envelopes++;
    if (outcome === "failure" && result !== undefined)
      this.#failures[result["structuredContent"] === undefined ? "text" : "structured"].add(tool);
    if (this.#dialect !== undefined) {
      this.#judge(observation, this.#dialect);
      return;
    }
    this.#waiting.push(observation);
    const needed = this.#options.dialect === undefined ? decidingEnvelopes : 1;
    if (this.#envelopes >= needed) this.settleDialect();
  }

  /** Settles the dialect and checks the queued answers. */
  settleDialect(): void {
    const dialect = this.dialect;
    this.#dialect = dialect;
    if (this.#envelopes === 0) this.#judgePlainServer(dialect);
    for (const observation of this.#waiting.splice(0)) this.#judge(observation, dialect);
  }

  /** Checks that clients can read the whole reply. */
  async judgeReplySize(observation: Observation): Promise<void> {
    const { text, outcome } = observation;
    if (text === undefined || outcome === "pending") return;
    const tokens = await tokensOver(text, maxReplyTokens);
    const message = `the reply takes ${tokens?.toLocaleString("en")} tokens, and clients read ${maxReplyTokens.toLocaleString("en")}`;
    this.#options.ledger.record(
      "MCP-15",
      tokens === undefined ? undefined : evidenceOf(observation, message),
    );
  }

  #judge(observation: Observation, dialect: Dialect): void {
    const { ledger, secrets, budget, folders, given } = this.#options;
    judgeAnswer(observation, {
      ledger,
      dialect,
      secrets,
      budget,
      outputSchemas: this.#outputSchemas,
      definitions: this.#definitions,
      hasEnvelopes: this.#envelopes > 0,
      folders: folders?.(),
      given: given?.(),
    });
    if (dialect === "envelope-v1" && observation.dialect === dialect) this.#judgeId(observation);
  }

  /**
   * Records once for the whole server that no answer is an envelope. A separate finding for each answer would contain
   * no more information.
   */
  #judgePlainServer(dialect: Dialect): void {
    const answers = this.#waiting.filter(
      (each) => isAnswered(each) && each.reply.kind === "result" && this.#outputSchemas.has(each.tool),
    );
    const [first] = answers;
    if (first === undefined) return;
    const count = answers.length === 1 ? "The answer" : `None of the ${answers.length} answers`;
    const message = `${count} is ${answers.length === 1 ? "no" : "an"} envelope`;
    this.#options.ledger.fail(shapeRules[dialect], { ...evidenceOf(first, message), remedy: plainRemedy });
  }

  #judgeId(observation: Observation): void {
    const { request_id: id } = observation.value as { readonly request_id?: unknown };
    if (typeof id !== "string") return;
    const message = id === "" ? "request_id is empty" : `request_id "${id}" came before, with another call`;
    const isBad = id === "" || this.#ids.has(id);
    this.#ids.add(id);
    this.#options.ledger.record(
      "EV1-09",
      isBad ? evidenceOf(observation, message, { path: "$.request_id" }) : undefined,
    );
  }
}

/** Returns the dialect of most answers. Returns response-v2 if there are no answers or if there is a tie. */
function mostCommon(observations: readonly Observation[]): Dialect {
  const count = (dialect: Dialect) => observations.filter((each) => each.dialect === dialect).length;
  return dialects.toSorted((a, b) => count(b) - count(a))[0] ?? "response-v2";
}
