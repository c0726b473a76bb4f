import { type Dialect, dialects } from "@foundry-mcp/contract";
import type { Ledger } from "../findings/ledger.ts";
import { evidenceOf } from "../observe/evidence.ts";
import type { Observation } from "../observe/observation.ts";
import type { TimeBudget } from "../observe/time-budget.ts";
import { tokensOver } from "./count-tokens.ts";
import { judgeAnswer } from "./judge-answer.ts";
import { textsIn } from "./texts-in.ts";

/** What Claude Code reads of a reply (MAX_MCP_OUTPUT_TOKENS), the lowest of the caps that are known. */
export const longestReply = 25_000;

/** So many envelopes say which dialect a server speaks. */
const enough = 5;

/** What a judge must know of a server. */
export interface JudgeOptions {
  readonly ledger: Ledger;
  /** The dialect to hold it to. @default the one that most of its first envelopes are in */
  readonly dialect?: Dialect | undefined;
  readonly secrets: readonly string[];
  /** Folders of the server's process, once they are known. */
  readonly places?: (() => readonly string[]) | undefined;
  /** What may be spent on output schemas. @default as much as it takes */
  readonly budget?: TimeBudget | undefined;
}

/** Holds every answer to the rules, once it is known which dialect the server speaks. */
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

  /** Makes a tool known; answers of others are refusals of unknown tools. */
  expect(tool: string, outputSchema: unknown, definition: unknown = {}): void {
    this.#outputSchemas.set(tool, outputSchema);
    this.#definitions.set(tool, textsIn(definition).join("\n"));
  }

  /** The dialect that the server is held to. */
  get dialect(): Dialect {
    return this.#dialect ?? mostCommon(this.#waiting);
  }

  /** How many answers were envelopes of any dialect. */
  get envelopes(): number {
    return this.#envelopes;
  }

  observe(observation: Observation): void {
    if (observation.dialect !== null) this.#envelopes++;
    if (this.#dialect !== undefined) {
      this.#judge(observation, this.#dialect);
      return;
    }
    this.#waiting.push(observation);
    if (this.#envelopes >= enough) this.settle();
  }

  /** Settles the dialect and judges what waited for it. */
  settle(): void {
    const dialect = this.dialect;
    this.#dialect = dialect;
    for (const observation of this.#waiting.splice(0)) this.#judge(observation, dialect);
  }

  /** Holds a reply to what clients read. */
  async judgeSize(observation: Observation): Promise<void> {
    const { text, outcome } = observation;
    if (text === undefined || outcome === "pending") return;
    const tokens = await tokensOver(text, longestReply);
    const message = `the reply takes ${tokens?.toLocaleString("en")} tokens, and clients read ${longestReply.toLocaleString("en")}`;
    this.#options.ledger.hold("MCP-15", tokens === undefined ? undefined : evidenceOf(observation, message));
  }

  #judge(observation: Observation, dialect: Dialect): void {
    const { ledger, secrets, budget, places } = this.#options;
    judgeAnswer(observation, {
      ledger,
      dialect,
      secrets,
      budget,
      outputSchemas: this.#outputSchemas,
      definitions: this.#definitions,
      places: places?.(),
    });
    if (dialect === "envelope-v1" && observation.dialect === dialect) this.#judgeId(observation);
  }

  #judgeId(observation: Observation): void {
    const { request_id: id } = observation.value as { readonly request_id?: unknown };
    if (typeof id !== "string") return;
    const message = id === "" ? "request_id is empty" : `request_id "${id}" came before, with another call`;
    const isBad = id === "" || this.#ids.has(id);
    this.#ids.add(id);
    this.#options.ledger.hold(
      "EV1-09",
      isBad ? evidenceOf(observation, message, { path: "$.request_id" }) : undefined,
    );
  }
}

/** The dialect of most answers; response-v2 where there is none, and where it is even. */
function mostCommon(observations: readonly Observation[]): Dialect {
  const count = (dialect: Dialect) => observations.filter((each) => each.dialect === dialect).length;
  return dialects.toSorted((a, b) => count(b) - count(a))[0] ?? "response-v2";
}
