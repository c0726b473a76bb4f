import type { Dialect, UnknownRecord, WarningDetail } from "@foundry-mcp/contract";
import type { AskRequest } from "./ask.ts";
import type { Client, Surface } from "./call.ts";
import type { Principal } from "./principal.ts";

/** A capability of a client to answer questions. */
export type Answerable = "elicitation" | "sampling";

/** The call that a job runs, with everything that a second run needs. A value of JSON. */
export interface JobCall {
  readonly tool: string;
  /** The current name of the action; empty for a plain tool. */
  readonly action: string;
  readonly args: UnknownRecord;
  readonly requestId: string;
  readonly trace?: UnknownRecord | undefined;
  readonly surface: Surface;
  readonly client: Client;
  /** The authenticated principal; undefined for the user of the local machine. */
  readonly principal?: Principal | undefined;
  readonly dialect: Dialect;
  /** The questions that the client can answer. @default none */
  readonly answers?: readonly Answerable[] | undefined;
  /** The token budget of the surface; the budget of the call itself is in `args`. */
  readonly maxTokens?: number | undefined;
  /** Warnings about the call that its answer gets, such as those of a translation. @default none */
  readonly warnings?: readonly string[] | undefined;
}

/** Whether an action runs as a job: never, for clients that can follow a job, or only as a job. */
export type TaskSupport = "never" | "optional" | "required";

/** A question with its answer. */
export interface AnsweredQuestion {
  readonly request: AskRequest;
  readonly answer: unknown;
}

/** A call that has passed every policy and the validation, and may become a job. */
export interface JobRequest {
  readonly principal: string;
  readonly call: JobCall;
  readonly support: TaskSupport;
  /** True if the action may run again after it was interrupted. */
  readonly isRepeatable: boolean;
  /** The questions that were answered before the job was created; the job finds their answers again. */
  readonly answered: readonly AnsweredQuestion[];
  /** Adds a warning to the answer of a call that runs without a job. */
  warn(detail: WarningDetail): void;
}

/**
 * Starts a job for a call, and returns the answer of the call: the handle of the job. Returns undefined if the call
 * must run at once instead.
 */
export type JobStarter = (request: JobRequest) => Promise<UnknownRecord | undefined>;

/** The exception that ends the dispatch of a call that has become a job; `result` is the answer of the call. */
export class JobStarted extends Error {
  override readonly name = "JobStarted";

  readonly result: UnknownRecord;

  constructor(result: UnknownRecord) {
    super("The call runs as a job");
    this.result = result;
  }
}
