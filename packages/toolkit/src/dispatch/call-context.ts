import {
  type DescribeRemedy,
  type Dialect,
  describeRemedy,
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
import { createPager, createRefusingPager, type Pager, type RecordingPager } from "../context/pager.ts";
import type { Role } from "../context/principal.ts";
import { toolFault } from "../context/tool-fault.ts";
import type { CallState } from "./call-state.ts";
import { requireRole } from "./check-role.ts";
import { checkFeature } from "./check-tier.ts";
import type { Deadline } from "./deadline.ts";
import type { Target } from "./find-action.ts";
import type { ValidInput } from "./validate-input.ts";

const none: readonly never[] = [];
const noRound: Round = { responses: {}, state: undefined };

/**
 * The context that the handler of one call is given, and what the handler reported through it.
 *
 * Its members are getters that bind on demand: handlers destructure them (`{ warn, page }`), and most
 * calls use none of them, so none is created before it is read.
 */
export class CallContext implements Context {
  #blocks: UnknownRecord[] | undefined = undefined;
  /** A question to the client that is still open: the client must repeat the call with its answer. */
  question: InputRequired | undefined = undefined;
  readonly requestId: string;
  readonly #state: CallState;
  readonly #target: Target;
  readonly #input: ValidInput;
  readonly #deadline: Deadline;
  #logger: Logger | undefined = undefined;
  #pager: RecordingPager | undefined = undefined;

  constructor(state: CallState, target: Target, input: ValidInput, deadline: Deadline) {
    this.requestId = state.requestId;
    this.#state = state;
    this.#target = target;
    this.#input = input;
    this.#deadline = deadline;
  }

  /** The content blocks that are sent with the envelope. */
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
    return this.#state.caller.surface;
  }

  get client(): Client {
    return this.#state.caller.client;
  }

  get principal(): string {
    return this.#state.principal;
  }

  get clientKey(): string {
    return this.#state.clientKey;
  }

  get dialect(): Dialect {
    return this.#state.dialect;
  }

  get agreement(): Agreement | undefined {
    return this.#state.caller.agreement;
  }

  get role(): Role {
    return this.#state.role;
  }

  get requireRole(): Context["requireRole"] {
    return (needed, part) => requireRole(this.#state, this.#target, needed, part);
  }

  get tier(): Tier {
    return this.#state.tier;
  }

  get describeRemedy(): DescribeRemedy {
    return this.#state.caller.describeRemedy ?? describeRemedy;
  }

  get maxTokens(): number {
    return this.#state.maxTokens;
  }

  get feature(): Context["feature"] {
    return (name) => checkFeature(this.#state, this.#target.action, name);
  }

  get round(): Round {
    return this.#state.caller.round ?? noRound;
  }

  get signal(): AbortSignal {
    return this.#deadline.signal;
  }

  get logger(): Logger {
    this.#logger ??= this.#state.logger.child({ request_id: this.requestId, tool: this.tool });
    return this.#logger;
  }

  get page(): Pager {
    this.#pager ??= createPagerOf(this.#target, this.#input);
    return this.#pager;
  }

  /** The pagination of the response; undefined where the handler paged nothing. */
  get pagination(): RecordingPager["pagination"] {
    return this.#pager?.pagination;
  }

  /** The list of a payload that the budget may shorten; undefined where the handler paged nothing. */
  pagedListIn(payload: UnknownRecord): PagedList | undefined {
    return this.#pager?.pagedList(rowsKeyOf(this.#target.action, payload, this.#pager.pagination));
  }

  get progress(): Context["progress"] {
    return (progress, total, message) => this.#state.caller.sendProgress?.({ progress, total, message });
  }

  get warn(): Context["warn"] {
    return (first: string, message?: string, facts?: UnknownRecord) => {
      this.#state.warn(toWarning(first, message, facts));
    };
  }

  get attach(): Context["attach"] {
    return (attachment) => {
      this.#blocks ??= [];
      this.#blocks.push(toContentBlock(attachment));
    };
  }

  get log(): Context["log"] {
    return (level, data) => this.#state.caller.sendLog?.(level, data);
  }

  get ifEnded(): Context["ifEnded"] {
    return (notice) => this.#deadline.explainEnd(notice);
  }

  get closeStream(): Context["closeStream"] {
    return () => this.#state.caller.closeStream?.();
  }

  get elicit(): Context["elicit"] {
    return async (question: Parameters<typeof toElicitRequest>[0]) =>
      (await readElicitAnswer(question, await this.#ask("elicitation", toElicitRequest(question)))) as never;
  }

  get sample(): Context["sample"] {
    return async (params) =>
      readSampleAnswer(await this.#ask("sampling", { method: "sampling/createMessage", params }));
  }

  /** Asks the client; the deadline is paused meanwhile. */
  async #ask(capability: "elicitation" | "sampling", request: AskRequest): Promise<unknown> {
    const { caller } = this.#state;
    const deadline = this.#deadline;
    if (caller.asker === undefined) throw cannotAsk(capability);
    deadline.check(performance.now());
    deadline.pause();
    try {
      return await deadline.race(caller.asker(request));
    } catch (thrown) {
      // A handler that catches this must not turn the question into a result.
      if (isInputRequired(thrown)) this.question = thrown;
      throw thrown;
    } finally {
      deadline.resume();
    }
  }
}

function createPagerOf({ tool, action }: Target, input: ValidInput): RecordingPager {
  if (action.definition.page === undefined) return createRefusingPager(action.label);
  const query = { tool: tool.name, filters: input.query, ...(tool.isPlain ? {} : { action: action.name }) };
  return createPager(query, input.limit, input.cursor);
}

/** The key of the rows: the declared one, else the only key whose list is as long as the page. */
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
