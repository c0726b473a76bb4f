import { type Dialect, dialects } from "@foundry-mcp/contract";
import type { Ledger } from "../findings/ledger.ts";
import { evidenceOf } from "../observe/evidence.ts";
import type { Observation } from "../observe/observation.ts";
import type { TimeBudget } from "../observe/time-budget.ts";
import { collectTexts } from "./collect-texts.ts";
import { tokensOver } from "./count-tokens.ts";
import { judgeAnswer } from "./judge-answer.ts";

/** The lowest known limit of a client: Claude Code reads so much of a reply (MAX_MCP_OUTPUT_TOKENS). */
const maxReplyTokens = 25_000;

/** The dialect is settled after so many envelopes. */
const decidingEnvelopes = 5;

/** Options of a judge. */
export interface JudgeOptions {
  readonly ledger: Ledger;
  /** The dialect to check against. @default that of most of the first envelopes */
  readonly dialect?: Dialect | undefined;
  readonly secrets: readonly string[];
  /** Returns the folders of the server's process, if they are known. */
  readonly folders?: (() => readonly string[]) | undefined;
  /** Time for output schemas. @default unlimited */
  readonly budget?: TimeBudget | undefined;
}

/** Checks every answer against the rules, as soon as the dialect of the server is settled. */
export class Judge {
  readonly #options: JudgeOptions;
  readonly #outputSchemas = new Map<string, unknown>();
  readonly #definitions = new Map<string, string>();
  readonly #ids = new Set<string>();
  #waiting: Observation[] = [];
  #dialect: Dialect | undefined;
  #envelopes = 0;

  constructor(options: JudgeOptions) {
    this.#options = options;
    this.#dialect = options.dialect;
  }

  /** Adds a tool that the server lists; answers of other tools are refusals of unknown tools. */
  addTool(tool: string, outputSchema: unknown, definition: unknown = {}): void {
    this.#outputSchemas.set(tool, outputSchema);
    this.#definitions.set(tool, collectTexts(definition).join("\n"));
  }

  /** The dialect that the server is checked against. */
  get dialect(): Dialect {
    return this.#dialect ?? mostCommon(this.#waiting);
  }

  /** The number of answers that were envelopes of any dialect. */
  get envelopes(): number {
    return this.#envelopes;
  }

  /** Checks an answer, or queues it until the dialect is settled. */
  observe(observation: Observation): void {
    if (observation.dialect !== null) this.#envelopes++;
    if (this.#dialect !== undefined) {
      this.#judge(observation, this.#dialect);
      return;
    }
    this.#waiting.push(observation);
    if (this.#envelopes >= decidingEnvelopes) this.settleDialect();
  }

  /** Settles the dialect and checks the queued answers. */
  settleDialect(): void {
    const dialect = this.dialect;
    this.#dialect = dialect;
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
    const { ledger, secrets, budget, folders } = this.#options;
    judgeAnswer(observation, {
      ledger,
      dialect,
      secrets,
      budget,
      outputSchemas: this.#outputSchemas,
      definitions: this.#definitions,
      folders: folders?.(),
    });
    if (dialect === "envelope-v1" && observation.dialect === dialect) this.#judgeId(observation);
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

/** Returns the dialect of most answers; response-v2 if there is none, and on a tie. */
function mostCommon(observations: readonly Observation[]): Dialect {
  const count = (dialect: Dialect) => observations.filter((each) => each.dialect === dialect).length;
  return dialects.toSorted((a, b) => count(b) - count(a))[0] ?? "response-v2";
}
