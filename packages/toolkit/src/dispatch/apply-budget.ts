import { ContractError, type Envelope, type UnknownRecord, warning } from "@foundry-mcp/contract";
import {
  type ArchiveReference,
  estimateTokens,
  type FitResult,
  fitToBudget,
  type PagedList,
} from "@foundry-mcp/contract/budget";
import { archiveIdOf, contentHashOf, toContentLink } from "../archive/content-archive.ts";
import type { CallState } from "./call-state.ts";
import type { DispatchDeps } from "./dispatch-deps.ts";
import { createCallCounter } from "./telemetry/instruments.ts";
import { type EncodedResponse, toDialect } from "./to-dialect.ts";

/** A response that fits its budget, with a link to the complete content if parts were left out. */
export interface BudgetedResponse extends EncodedResponse {
  readonly link?: UnknownRecord;
}

const countOverBudget = createCallCounter(
  "foundry.answers.over_budget",
  "Answers longer than their token budget",
);

/**
 * Encodes a response so that it fits its token budget. Short responses, which are the majority, are encoded
 * synchronously.
 */
export function applyBudget(
  state: CallState,
  envelope: Envelope,
  findPagedList: () => PagedList | undefined,
): BudgetedResponse | Promise<BudgetedResponse> {
  const whole = toDialect(envelope, state);
  if (isShort(state, whole)) return whole;
  countOverBudget({ "gen_ai.tool.name": state.tool?.name });
  return new BudgetFitter(state, whole, findPagedList()).run();
}

function isShort(state: CallState, { text }: EncodedResponse): boolean {
  const { maxTokens } = state;
  return maxTokens === 0 || isWithin(state, text, maxTokens);
}

/**
 * True if a text fits into `maxTokens`. Short texts need no counting, because a token has at least one byte, and a
 * UTF-16 code unit has at most three bytes.
 */
function isWithin({ deps }: CallState, text: string, maxTokens: number): boolean {
  if (text.length * 3 <= maxTokens || Buffer.byteLength(text) <= maxTokens) return true;
  const { countTokens = estimateTokens } = deps.budget;
  return countTokens(text, maxTokens) <= maxTokens;
}

/** The maximum ratio of a response's length to its budget if the complete content cannot be archived. */
const overrunFactor = 2;

/** Reduces one response that is longer than its budget. */
class BudgetFitter {
  readonly #state: CallState;
  readonly #whole: EncodedResponse;
  readonly #maxTokens: number;
  readonly #page: PagedList | undefined;

  constructor(state: CallState, whole: EncodedResponse, page: PagedList | undefined) {
    this.#state = state;
    this.#whole = whole;
    this.#maxTokens = state.maxTokens;
    this.#page = page;
  }

  async run(): Promise<BudgetedResponse> {
    // response-v1 has no field that reports missing content, so nothing may be left out.
    if (this.#state.dialect === "response-v1") return this.#sendWhole("no_meta");
    // A shorter page loses nothing, because its cursor leads to the remaining rows.
    const shorter = this.#page === undefined ? undefined : this.#fit(undefined);
    if (shorter !== undefined && shorter.dropped === null) return shorter.response;
    const { archive } = this.#state.deps.budget;
    const archived = archive === undefined ? undefined : await this.#archive();
    if (archived !== undefined) return archived;
    // A failure is always sent, even if its details must be dropped.
    if (!this.#whole.envelope.success) return this.#fit(undefined).response;
    return this.#sendWhole(archive === undefined ? "no_archive" : "archive_failed");
  }

  /** Stores the complete content in the archive and returns the reduced response; undefined if it cannot be stored. */
  async #archive(): Promise<BudgetedResponse | undefined> {
    const { deps, caller, requestId, principal, target, logger } = this.#state;
    const bytes = Buffer.from(dataTextOf(this.#whole));
    const hash = contentHashOf(bytes);
    const id = archiveIdOf(principal, hash);
    const { response, dropped } = this.#fit({
      id,
      hash,
      fetch: isFetchable(deps) ? undefined : `the archive id ${JSON.stringify(id)}`,
      describeRemedy: caller.describeRemedy,
    });
    if (dropped === null) return response;
    const contentIds = dropped.ids;
    const { tool, action } = target ?? {};
    const origin = {
      tool: tool?.name ?? "",
      action: tool?.isPlain ? undefined : action?.name,
      requestId,
    };
    try {
      await deps.budget.archive?.put({ principal, bytes, hash, contentIds, ...origin });
    } catch (err) {
      logger.warn({ err, request_id: requestId }, "archive");
      return undefined;
    }
    return isFetchable(deps) ? { ...response, link: toContentLink(id, bytes.length, origin.tool) } : response;
  }

  /**
   * Reduces the envelope until the encoded response fits. The budget applies to the encoded text, so dialects other
   * than response-v2 may need several attempts.
   */
  #fit(archive: ArchiveReference | undefined) {
    const { countTokens } = this.#state.deps.budget;
    let maxTokens = this.#maxTokens;
    for (let tries = 0; ; tries++) {
      const fitted: FitResult = fitToBudget(this.#whole.envelope, {
        maxTokens,
        reportedTokens: this.#maxTokens,
        countTokens,
        archive,
        page: this.#page,
        wholeLists: this.#state.target?.action.definition.wholeLists,
      });
      const response = toDialect(this.#withDuration(fitted.envelope), this.#state);
      if (tries === maxTries || isWithin(this.#state, response.text, this.#maxTokens)) {
        return { response, dropped: fitted.dropped };
      }
      const sentTokens = (countTokens ?? estimateTokens)(response.text, Number.POSITIVE_INFINITY);
      maxTokens = Math.max(1, Math.floor((maxTokens * this.#maxTokens * margin) / sentTokens));
    }
  }

  /**
   * Keeps the duration in envelope-v1, because envelope-v1 responses in the paid tiers always include the
   * duration.
   */
  #withDuration(envelope: Envelope): Envelope {
    const { telemetry } = this.#whole.envelope.meta;
    if (this.#state.dialect !== "envelope-v1" || telemetry === undefined) return envelope;
    return { ...envelope, meta: { telemetry, ...envelope.meta } } as Envelope;
  }

  /** Sends a response in full although it exceeds its budget; throws if the response exceeds the allowed overrun. */
  #sendWhole(reason: "no_archive" | "archive_failed" | "no_meta"): EncodedResponse {
    const { envelope } = this.#whole;
    const isClose = isWithin(this.#state, this.#whole.text, this.#maxTokens * overrunFactor);
    if (!isClose && envelope.success) throw this.#tooLarge();
    const detail = warning(
      "FALLBACK_USED",
      `The answer is longer than ${this.#maxTokens} tokens and sent whole, because there is no archive for the rest`,
      { reason, max_tokens: this.#maxTokens },
    );
    const meta = {
      ...envelope.meta,
      warnings: [...(envelope.meta.warnings ?? []), detail.message],
      warning_details: [...(envelope.meta.warning_details ?? []), detail],
    };
    return toDialect({ ...envelope, meta } as Envelope, this.#state);
  }

  #tooLarge(): ContractError {
    const { target } = this.#state;
    const label = target?.action.label ?? "the tool";
    return new ContractError(`The answer of ${label} is far longer than ${this.#maxTokens} tokens`, {
      errorCode: "CONTENT_TOO_LARGE",
      remediation: "Request less, or repeat the call with a larger {--max_tokens}; 0 means no limit.",
      details: { max_tokens: this.#maxTokens, size_bytes: Buffer.byteLength(this.#whole.text) },
    });
  }
}

/**
 * True if clients can fetch archived content with the tool `content`; otherwise the server returns archived content
 * in its own way.
 */
function isFetchable({ catalogue }: DispatchDeps): boolean {
  return catalogue.findTool("content") !== undefined;
}

const maxTries = 8;
/**
 * The share of the budget that the search aims for; less than 1, so that the search for a fitting length ends
 * sooner.
 */
const margin = 0.97;

const dataOffset = { true: '{"success":true,"data":'.length, false: '{"success":false,"data":'.length };

/** Returns the JSON of an envelope's `data`, as a substring of the encoded text. */
function dataTextOf({ envelope, json }: EncodedResponse): string {
  const { success, error, meta } = envelope;
  const tail = `,"error":${JSON.stringify(error)},"meta":${JSON.stringify(meta)}}`.length;
  return json.slice(dataOffset[`${success}`], json.length - tail);
}
