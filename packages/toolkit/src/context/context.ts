import type {
  DescribeRemedy,
  Dialect,
  Remedy,
  Tier,
  UnknownRecord,
  WarningCode,
} from "@foundry-mcp/contract";
import type { JsonSchema, Schema, SchemaOutput } from "../schema/schema.ts";
import type { ElicitAnswer, Question, SampleAnswer, SampleRequest } from "./ask.ts";
import type { Attachment } from "./attachment.ts";
import type { Agreement, Client, LogLevel, Round, Surface } from "./call.ts";
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

/** The context of a call, which its handler receives after the input. */
export interface Context {
  readonly requestId: string;
  readonly tool: string;
  /** The action's current name; empty for a plain tool. */
  readonly action: string;
  readonly surface: Surface;
  readonly client: Client;
  /** The id of the authenticated principal; `local` on a server without authentication. */
  readonly principal: string;
  /** The key of the client in flags and rate limits: its principal, else its name. */
  readonly clientKey: string;
  readonly role: Role;
  readonly tier: Tier;
  /** The token budget of the response; 0 for none. */
  readonly maxTokens: number;
  /** The dialect of the response. */
  readonly dialect: Dialect;
  /** The negotiated settings of the connection; undefined where there is none. */
  readonly agreement: Agreement | undefined;
  /** Aborts when the caller cancels the call or its deadline passes. */
  readonly signal: AbortSignal;
  /** The log for operators; its lines contain the request id. */
  readonly logger: Logger;
  /** For list actions: the requested page, and methods that return its rows. */
  readonly page: Pager;
  /** Writes a remedy as the users of this surface type it, for warnings. */
  readonly describeRemedy: DescribeRemedy;
  /** The answers and the state of a repeated request, for raw actions that ask questions themselves. */
  readonly round: Round;
  /** Sends progress to the caller, if it subscribed to it. */
  progress(progress: number, total?: number, message?: string): void;
  /** Adds a warning to the response: a message, or a code with a message and facts. */
  warn(message: string): void;
  warn(code: WarningCode | (string & {}), message: string, facts?: UnknownRecord): void;
  /** Throws FORBIDDEN below a role; for a part of the action that needs more than the action: `requireRole("maintainer", "force")`. */
  requireRole(needed: Role, part: string): void;
  /**
   * Returns whether the caller's tier includes a declared feature. If not, it fails the call with
   * UPGRADE_REQUIRED or adds an upgrade hint to the response, as the feature declares.
   */
  feature(name: string): boolean;
  /** Adds an image, audio, resource or link to the response, next to the envelope. */
  attach(attachment: Attachment): void;
  /** Sends a message to the client's log, if it subscribed to it. */
  log(level: LogLevel, data: unknown): void;
  /**
   * Sets the failure for the case that the call is cancelled or times out before its handler returns. For
   * work that continues afterwards or can be resumed.
   */
  ifEnded(notice: EndNotice): void;
  /** Closes the stream of this call, if there is one; the client reconnects for the response. */
  closeStream(): void;
  /**
   * Asks the user of the client. In protocol 2026-07-28, which has no connection to ask on, the handler
   * ends here and runs again from its start with the answer: do nothing that must not happen twice
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
  /** Asks the client's model; the handler may run again, as with `elicit`. */
  sample(request: SampleRequest): Promise<SampleAnswer>;
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
