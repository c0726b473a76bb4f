import type {
  DescribeRemedy,
  Dialect,
  Remedy,
  Tier,
  UnknownRecord,
  WarningCode,
} from "@foundry-mcp/contract";
import type { JsonSchema, Schema, SchemaOutput } from "../schema/schema.ts";
import type { AskRequest, ElicitAnswer, Question, SampleAnswer, SampleRequest } from "./ask.ts";
import type { Attachment } from "./attachment.ts";
import type { Agreement, Client, LogLevel, Round, Surface } from "./call.ts";
import type { Answerable } from "./job-call.ts";
import type { Logger } from "./logger.ts";
import type { Pager } from "./pager.ts";
import type { Role } from "./principal.ts";

/** The failure that a caller receives when its call ends before the handler does. */
export interface EndNotice {
  readonly message: string;
  readonly remediation: string;
  readonly remedy?: Remedy | readonly Remedy[] | undefined;
  readonly details?: UnknownRecord | undefined;
}

/** The context of a call, which the handler receives as its second argument, after the input. */
export interface Context {
  readonly requestId: string;
  readonly tool: string;
  /** The action's current name; empty for a plain tool. */
  readonly action: string;
  readonly surface: Surface;
  readonly client: Client;
  /** The id of the authenticated principal; `local` on a server without authentication. */
  readonly principal: string;
  /** The key of the client in flags and rate limits: the principal, otherwise the client's name. */
  readonly clientKey: string;
  readonly role: Role;
  readonly tier: Tier;
  /** The token budget of the response; 0 for none. */
  readonly maxTokens: number;
  /** The token budget that the call requests; undefined if the call requests none. */
  readonly requestedTokens: number | undefined;
  /** The dialect of the response. */
  readonly dialect: Dialect;
  /** The negotiated settings of the connection; undefined if there is no connection. */
  readonly agreement: Agreement | undefined;
  /**
   * True if the call runs as a job. A job continues without its client, and the signal of the job aborts when the job
   * is cancelled or has expired.
   */
  readonly isJob: boolean;
  /** Aborts when the caller cancels the call or its deadline passes. */
  readonly signal: AbortSignal;
  /** The log for operators; its lines contain the request id. */
  readonly logger: Logger;
  /** For list actions: the requested page, and methods that return its rows. */
  readonly page: Pager;
  /** Formats a remedy for a warning, in the form that users of this surface type. */
  readonly describeRemedy: DescribeRemedy;
  /** The object that the code that made the call passed for notes about the call; undefined if it passed none. */
  readonly notes: object | undefined;
  /** The answers and the state of a repeated request, for raw actions that ask questions themselves. */
  readonly round: Round;
  /** Sends progress to the caller if the caller subscribed to progress. */
  progress(progress: number, total?: number, message?: string): void;
  /** Adds a warning to the response: a message, or a code with a message and facts. */
  warn(message: string): void;
  warn(code: WarningCode | (string & {}), message: string, facts?: UnknownRecord): void;
  /**
   * Throws FORBIDDEN if the caller's role is lower than `needed`. Call this method for a part of an action
   * that needs a higher role than the action itself: `requireRole("maintainer", "force")`.
   */
  requireRole(needed: Role, part: string): void;
  /**
   * Returns true if the caller's tier includes a declared feature. For a lower tier, the declaration of the
   * feature decides whether the call fails with UPGRADE_REQUIRED or the response gets an upgrade hint.
   */
  feature(name: string): boolean;
  /** Adds an image, audio, resource or link to the response, in addition to the envelope. */
  attach(attachment: Attachment): void;
  /** Sends a message to the client's log if the client subscribed to log messages. */
  log(level: LogLevel, data: unknown): void;
  /**
   * Sets the failure that the caller receives if the call is cancelled or times out before its handler
   * returns. Use this method for work that continues after the call or can be resumed.
   */
  ifEnded(notice: EndNotice): void;
  /** Closes the stream of this call, if there is one; the client reconnects for the response. */
  closeStream(): void;
  /**
   * Goes on as a job, if the action declares `detaches` and the client can follow a job; otherwise does nothing. The
   * handler ends here, and the job runs the handler again from its start with the answers that it has.
   */
  detach(): Promise<void>;
  /**
   * Asks the user of the client. Protocol 2026-07-28 has no connection for questions: the handler ends here
   * and runs again from its start with the answer. So a handler must not change anything before its last
   * question unless the change may happen twice.
   */
  elicit<S extends Schema>(
    question: Question<S> & { readonly schema: S },
  ): Promise<ElicitAnswer<SchemaOutput<S>>>;
  elicit(
    question:
      | { readonly message: string; readonly url: string }
      | { readonly message: string; readonly schema: JsonSchema },
  ): Promise<ElicitAnswer>;
  /** Asks the client's model; the handler may run again, as with `elicit`. */
  sample(request: SampleRequest): Promise<SampleAnswer>;
  /** True if the client answers questions by repeating the call, so that `round` can contain answers. */
  readonly repeatsCalls: boolean;
  /** True if the client can answer questions of a kind. */
  canAsk(capability: Answerable): boolean;
  /**
   * Sends the question of another server to the client, and returns the answer, both unchanged. If the handler ends
   * here and runs again, `round.responses` contains the answer under the `name` of the question.
   */
  relay(request: AskRequest, name: string): Promise<unknown>;
}

/** The context of a request for a resource or a prompt. */
export interface RequestContext {
  readonly requestId: string;
  readonly client: Client;
  /** The id of the authenticated principal; `local` on a server without authentication. */
  readonly principal: string;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** The answers of a repeated request, by the names of their questions. */
  readonly inputResponses: Readonly<Record<string, unknown>>;
}
