import { ContractError, type Envelope, type UnknownRecord, warning } from "@foundry-mcp/contract";
import {
  type ArchiveReference,
  estimateTokens,
  type FitResult,
  fitToBudget,
  type PagedList,
} from "@foundry-mcp/contract/budget";
import { archiveIdOf, contentHashOf } from "../archive/content-archive.ts";
import { toContentLink } from "../archive/content-link.ts";
import type { Journey } from "./call-state.ts";
import type { Host } from "./dispatch-deps.ts";
import { principalOf } from "./standing.ts";
import { createCallCounter } from "./telemetry/instruments.ts";
import { toDialect, type Wire } from "./to-dialect.ts";

/** An answer as it is sent, and the link to what it lacks. */
export interface Fitted extends Wire {
  readonly link?: UnknownRecord;
}

const countLong = createCallCounter("foundry.answers.over_budget", "Answers longer than their token budget");

/** Writes an answer so that it fits its budget: at once where it is short, as most are. */
export function fitAnswer(
  journey: Journey,
  envelope: Envelope,
  findPage: () => PagedList | undefined,
): Fitted | Promise<Fitted> {
  const whole = toDialect(envelope, journey);
  if (isShort(journey, whole)) return whole;
  countLong({ "gen_ai.tool.name": journey.tool?.name });
  return new Fitting(journey, whole, findPage()).run();
}

function isShort(journey: Journey, { text }: Wire): boolean {
  const { maxTokens } = journey;
  return maxTokens === 0 || isWithin(journey, text, maxTokens);
}

/** A token has at least one byte, and a character at most three: most answers need no counting. */
function isWithin({ host }: Journey, text: string, maxTokens: number): boolean {
  if (text.length * 3 <= maxTokens || Buffer.byteLength(text) <= maxTokens) return true;
  const { countTokens = estimateTokens } = host.budget;
  return countTokens(text, maxTokens) <= maxTokens;
}

/** How far an answer may pass its budget where the rest can be kept nowhere. */
const grace = 2;

/** One answer that is too long for its budget. */
class Fitting {
  readonly #journey: Journey;
  readonly #whole: Wire;
  readonly #maxTokens: number;
  readonly #page: PagedList | undefined;

  constructor(journey: Journey, whole: Wire, page: PagedList | undefined) {
    this.#journey = journey;
    this.#whole = whole;
    this.#maxTokens = journey.maxTokens;
    this.#page = page;
  }

  async run(): Promise<Fitted> {
    // response-v1 cannot say that anything is missing, nor where it is: there, nothing may be.
    if (this.#journey.dialect === "response-v1") return this.#sendWhole("no_meta");
    // A shorter page loses nothing: its cursor leads to the rest.
    const shorter = this.#page === undefined ? undefined : this.#fit(undefined);
    if (shorter !== undefined && shorter.dropped === null) return shorter.wire;
    const { archive } = this.#journey.host.budget;
    const kept = archive === undefined ? undefined : await this.#keep();
    if (kept !== undefined) return kept;
    // A failure says what went wrong, however little of the rest can be told.
    if (!this.#whole.envelope.success) return this.#fit(undefined).wire;
    return this.#sendWhole(archive === undefined ? "no_archive" : "archive_failed");
  }

  /** The reduced answer once the whole is in the archive; undefined where it could not be put there. */
  async #keep(): Promise<Fitted | undefined> {
    const { host, requestId, caller, target, logger } = this.#journey;
    const principal = principalOf(caller);
    const bytes = Buffer.from(dataTextOf(this.#whole));
    const hash = contentHashOf(bytes);
    const id = archiveIdOf(principal, hash);
    const { wire, dropped } = this.#fit({ id, hash, ...toFetch(host, id) });
    if (dropped === null) return wire;
    const contentIds = dropped.ids;
    const { tool, action } = target ?? {};
    const origin = {
      tool: tool?.name ?? "",
      action: tool?.isPlain ? undefined : action?.name,
      requestId,
    };
    try {
      await host.budget.archive?.put({ principal, bytes, hash, contentIds, ...origin });
    } catch (err) {
      logger.warn({ err, request_id: requestId }, "archive");
      return undefined;
    }
    return isFetchable(host) ? { ...wire, link: toContentLink(id, bytes.length, origin.tool) } : wire;
  }

  /** What is measured is what is sent: other dialects than response-v2 may need a second try. */
  #fit(archive: ArchiveReference | undefined) {
    const { countTokens } = this.#journey.host.budget;
    let maxTokens = this.#maxTokens;
    for (let tries = 0; ; tries++) {
      const fitted: FitResult = fitToBudget(this.#whole.envelope, {
        maxTokens,
        toldTokens: this.#maxTokens,
        countTokens,
        archive,
        page: this.#page,
      });
      const wire = toDialect(this.#timed(fitted.envelope), this.#journey);
      if (tries === mostTries || isWithin(this.#journey, wire.text, this.#maxTokens)) {
        return { wire, dropped: fitted.dropped };
      }
      const sent = (countTokens ?? estimateTokens)(wire.text, Number.POSITIVE_INFINITY);
      maxTokens = Math.max(1, Math.floor((maxTokens * this.#maxTokens * leeway) / sent));
    }
  }

  /** envelope-v1 has a duration in every answer of a paid tier, however little room there is. */
  #timed(envelope: Envelope): Envelope {
    const { telemetry } = this.#whole.envelope.meta;
    if (this.#journey.dialect !== "envelope-v1" || telemetry === undefined) return envelope;
    return { ...envelope, meta: { telemetry, ...envelope.meta } } as Envelope;
  }

  /** Sends an answer whole although it is too long, up to a point; beyond that it is refused. */
  #sendWhole(reason: "no_archive" | "archive_failed" | "no_meta"): Wire {
    const { envelope } = this.#whole;
    const isClose = isWithin(this.#journey, this.#whole.text, this.#maxTokens * grace);
    if (!isClose && envelope.success) throw this.#tooLarge();
    const detail = warning(
      "FALLBACK_USED",
      `The answer is longer than ${this.#maxTokens} tokens and sent whole: the rest can be kept nowhere`,
      { reason, max_tokens: this.#maxTokens },
    );
    const meta = {
      ...envelope.meta,
      warnings: [...(envelope.meta.warnings ?? []), detail.message],
      warning_details: [...(envelope.meta.warning_details ?? []), detail],
    };
    return toDialect({ ...envelope, meta } as Envelope, this.#journey);
  }

  #tooLarge(): ContractError {
    const { target } = this.#journey;
    const label = target?.action.label ?? "the tool";
    return new ContractError(`The answer of ${label} is far longer than ${this.#maxTokens} tokens`, {
      errorCode: "CONTENT_TOO_LARGE",
      remediation: "Ask for less, or repeat the call with a larger max_tokens; 0 gives the answer whole.",
      details: { max_tokens: this.#maxTokens, size_bytes: Buffer.byteLength(this.#whole.text) },
    });
  }
}

function isFetchable({ catalogue }: Host): boolean {
  return catalogue.findTool("content") !== undefined;
}

/** Where the tool that would fetch it is not offered, the server has another way, which it alone knows. */
function toFetch(host: Host, id: string): Pick<ArchiveReference, "fetch"> {
  return isFetchable(host) ? {} : { fetch: `the archive id ${JSON.stringify(id)}` };
}

const mostTries = 8;
/** The other dialects grow with what they carry: a little less than their share comes to rest sooner. */
const leeway = 0.97;

const dataStart = { true: '{"success":true,"data":'.length, false: '{"success":false,"data":'.length };

/** The JSON of an envelope's `data`, cut out of the text that has been written already. */
function dataTextOf({ envelope, json }: Wire): string {
  const { success, error, meta } = envelope;
  const tail = `,"error":${JSON.stringify(error)},"meta":${JSON.stringify(meta)}}`.length;
  return json.slice(dataStart[`${success}`], json.length - tail);
}
