import type { Dialect, Tier, UnknownRecord, WarningCode } from "@foundry-mcp/contract";
import type { JsonSchema, Schema, SchemaOutput } from "../schema/schema.ts";
import type { ElicitAnswer, Question, SampleAnswer, SampleRequest } from "./ask.ts";
import type { Attachment } from "./attachment.ts";
import type { Agreement, Client, LogLevel, Round, Surface } from "./call.ts";
import type { Logger } from "./logger.ts";
import type { Pager } from "./pager.ts";
import type { Role } from "./principal.ts";

/** What a caller is told of work that its call leaves behind. */
export interface EndNotice {
  readonly message: string;
  readonly remediation: string;
  readonly details?: UnknownRecord | undefined;
}

/** What a handler sees of its call, beside its input. */
export interface Context {
  readonly requestId: string;
  readonly tool: string;
  /** The action's present name; empty for a plain tool. */
  readonly action: string;
  readonly surface: Surface;
  readonly client: Client;
  /** Who calls: the id of an authenticated principal, `local` where the server asks for no identity. */
  readonly principal: string;
  /** The client as flags and limits know it: who it is, else what it calls itself. */
  readonly clientKey: string;
  readonly role: Role;
  readonly tier: Tier;
  /** The token budget of the answer; 0 for none. */
  readonly maxTokens: number;
  /** The form of this answer. */
  readonly dialect: Dialect;
  /** What was agreed on with this connection; undefined where there is none. */
  readonly agreement: Agreement | undefined;
  /** Fires when the caller gives up or the deadline passes. */
  readonly signal: AbortSignal;
  /** For operators: lines carry the request id. */
  readonly logger: Logger;
  /** For list actions: the page that was asked for, and the ways to cut it. */
  readonly page: Pager;
  /** What came with a repeated request; for raw actions, which ask and keep state by themselves. */
  readonly round: Round;
  /** Tells the caller how far the work has come, where it listens. */
  progress(progress: number, total?: number, message?: string): void;
  /** Adds a warning to the answer: a message, or a code with a message and facts. */
  warn(message: string): void;
  warn(code: WarningCode | (string & {}), message: string, facts?: UnknownRecord): void;
  /**
   * Whether a declared feature may be used at the caller's tier. Where it may not, this ends the call
   * with UPGRADE_REQUIRED or adds an upgrade hint to the answer, as the feature declares.
   */
  feature(name: string): boolean;
  /** Adds an image, a sound or a link to the answer, beside the envelope. */
  attach(attachment: Attachment): void;
  /** Sends a line to the client's own log, where it listens. */
  log(level: LogLevel, data: unknown): void;
  /**
   * Says what is told where the call ends before its handler does: the caller gives up, or the time is over. For work
   * that goes on, or can be gone on with.
   */
  ifEnded(told: EndNotice): void;
  /** Ends the stream of this call where there is one; the client comes back for the answer. */
  closeStream(): void;
  /**
   * Asks the person behind the client. Where the protocol has no connection to ask on (2026-07-28),
   * the handler ends here and runs anew with the answer: do nothing that must not happen twice
   * before the last question.
   */
  elicit<S extends Schema>(
    question: Question<S> & { readonly schema: S },
  ): Promise<ElicitAnswer<SchemaOutput<S>>>;
  elicit(
    question:
      | { readonly message: string; readonly url: string }
      | { readonly message: string; readonly schema: JsonSchema },
  ): Promise<ElicitAnswer>;
  /** Asks the client's model; the same holds as for `elicit`. */
  sample(request: SampleRequest): Promise<SampleAnswer>;
}

/** What the reader of a resource or the writer of a prompt sees of the request. */
export interface RequestContext {
  readonly requestId: string;
  readonly client: Client;
  /** Who calls: the id of an authenticated principal, `local` where the server asks for no identity. */
  readonly principal: string;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Answers that came with a repeated request, by the names under which they were asked for. */
  readonly inputResponses: Readonly<Record<string, unknown>>;
}
