import {
  type Dialect,
  type Pagination,
  type Tier,
  type UnknownRecord,
  type WarningDetail,
  warning,
} from "@foundry-mcp/contract";
import type { PagedList } from "@foundry-mcp/contract/budget";
import type { PreparedAction } from "../catalogue/prepared-tool.ts";
import {
  type AskRequest,
  cannotAsk,
  type InputRequired,
  isInputRequired,
  readElicitAnswer,
  readSampleAnswer,
  toElicitRequest,
} from "../context/ask.ts";
import { toContentBlock } from "../context/attachment.ts";
import type { Agreement, Client, Round, Surface } from "../context/call.ts";
import type { Context } from "../context/context.ts";
import type { Logger } from "../context/logger.ts";
import { createPager, noPager, type Pager, type RecordingPager } from "../context/pager.ts";
import type { Role } from "../context/principal.ts";
import { toolFault } from "../context/tool-fault.ts";
import type { Journey } from "./call-state.ts";
import { checkFeature } from "./check-tier.ts";
import type { Flight } from "./deadline.ts";
import type { Target } from "./find-action.ts";
import { principalOf } from "./standing.ts";
import type { ValidInput } from "./validate-input.ts";

const none: readonly never[] = [];
const noRound: Round = { responses: {}, state: undefined };

/**
 * The context of one call, and what the handler told through it.
 *
 * Its members are getters that bind on demand: handlers take them apart (`{ warn, page }`), and most
 * calls touch none of them, so none is made before it is asked for.
 */
export class CallContext implements Context {
  #blocks: UnknownRecord[] | undefined = undefined;
  /** A question that must be answered before the call can be. */
  question: InputRequired | undefined = undefined;
  readonly requestId: string;
  readonly #journey: Journey;
  readonly #target: Target;
  readonly #input: ValidInput;
  readonly #flight: Flight;
  #logger: Logger | undefined = undefined;
  #pager: RecordingPager | undefined = undefined;

  constructor(journey: Journey, target: Target, input: ValidInput, flight: Flight) {
    this.requestId = journey.requestId;
    this.#journey = journey;
    this.#target = target;
    this.#input = input;
    this.#flight = flight;
  }

  /** What travels beside the envelope. */
  get blocks(): readonly UnknownRecord[] {
    return this.#blocks ?? none;
  }

  get tool(): string {
    return this.#target.tool.name;
  }

  get action(): string {
    return this.#target.action.name;
  }

  get surface(): Surface {
    return this.#journey.caller.surface;
  }

  get client(): Client {
    return this.#journey.caller.client;
  }

  get principal(): string {
    return principalOf(this.#journey.caller);
  }

  get clientKey(): string {
    return this.#journey.clientKey;
  }

  get dialect(): Dialect {
    return this.#journey.dialect;
  }

  get agreement(): Agreement | undefined {
    return this.#journey.caller.agreement;
  }

  get role(): Role {
    return this.#journey.role;
  }

  get tier(): Tier {
    return this.#journey.tier;
  }

  get maxTokens(): number {
    return this.#journey.maxTokens;
  }

  get feature(): Context["feature"] {
    return (name) => checkFeature(this.#journey, this.#target.action, name);
  }

  get round(): Round {
    return this.#journey.caller.round ?? noRound;
  }

  get signal(): AbortSignal {
    return this.#flight.signal;
  }

  get logger(): Logger {
    this.#logger ??= this.#journey.logger.child({ request_id: this.requestId, tool: this.tool });
    return this.#logger;
  }

  get page(): Pager {
    this.#pager ??= createPagerOf(this.#target, this.#input);
    return this.#pager;
  }

  /** What the answer says of the page; undefined where the handler cut none. */
  get pagination(): RecordingPager["pagination"] {
    return this.#pager?.pagination;
  }

  /** The list of a payload that a budget may shorten; undefined where the handler cut no page. */
  pagedListIn(payload: UnknownRecord): PagedList | undefined {
    return this.#pager?.pagedList(rowsKeyOf(this.#target.action, payload, this.#pager.pagination));
  }

  get progress(): Context["progress"] {
    return (progress, total, message) => this.#journey.caller.sendProgress?.({ progress, total, message });
  }

  get warn(): Context["warn"] {
    return (first: string, message?: string, facts?: UnknownRecord) => {
      this.#journey.warn(toWarning(first, message, facts));
    };
  }

  get attach(): Context["attach"] {
    return (attachment) => {
      this.#blocks ??= [];
      this.#blocks.push(toContentBlock(attachment));
    };
  }

  get log(): Context["log"] {
    return (level, data) => this.#journey.caller.sendLog?.(level, data);
  }

  get ifEnded(): Context["ifEnded"] {
    return (told) => this.#flight.partWith(told);
  }

  get closeStream(): Context["closeStream"] {
    return () => this.#journey.caller.closeStream?.();
  }

  get elicit(): Context["elicit"] {
    return async (question: Parameters<typeof toElicitRequest>[0]) =>
      (await readElicitAnswer(question, await this.#ask("elicitation", toElicitRequest(question)))) as never;
  }

  get sample(): Context["sample"] {
    return async (params) =>
      readSampleAnswer(await this.#ask("sampling", { method: "sampling/createMessage", params }));
  }

  /** Asks the client; the clock stands still meanwhile. */
  async #ask(capability: "elicitation" | "sampling", request: AskRequest): Promise<unknown> {
    const { caller } = this.#journey;
    const flight = this.#flight;
    if (caller.asker === undefined) throw cannotAsk(capability);
    flight.check(performance.now());
    flight.pause();
    try {
      return await flight.race(caller.asker(request));
    } catch (thrown) {
      // A handler that swallows this must not turn the question into an answer.
      if (isInputRequired(thrown)) this.question = thrown;
      throw thrown;
    } finally {
      flight.resume();
    }
  }
}

function createPagerOf({ tool, action }: Target, input: ValidInput): RecordingPager {
  if (action.definition.page === undefined) return noPager(action.label);
  const query = { tool: tool.name, filters: input.query, ...(tool.isPlain ? {} : { action: action.name }) };
  return createPager(query, input.limit, input.cursor);
}

/** Where the rows stand: as the action declares, else under the one key that holds as many. */
function rowsKeyOf(
  { rowsKey }: PreparedAction,
  payload: UnknownRecord,
  pagination: Pagination | undefined,
): string | undefined {
  if (rowsKey !== undefined) return rowsKey;
  const keys = Object.keys(payload).filter((key) => {
    const rows = payload[key];
    return Array.isArray(rows) && rows.length === pagination?.page_size;
  });
  return keys.length === 1 ? keys[0] : undefined;
}

function toWarning(
  first: string,
  message: string | undefined,
  facts: UnknownRecord | undefined,
): WarningDetail {
  if (typeof first !== "string" || (message !== undefined && typeof message !== "string")) {
    throw toolFault("Cannot warn: code and message must be texts");
  }
  return message === undefined ? { message: first } : warning(first, message, facts);
}
