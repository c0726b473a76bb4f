import { homedir } from "node:os";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { errorResponse, type UnknownRecord } from "@foundry-mcp/contract";
import { connectRaw, type RawConnection, type RawReply, type RawTarget } from "@foundry-mcp/toolkit/client";
import { version } from "../../program/version.ts";
import type { Ledger } from "../findings/ledger.ts";
import { CallClock, type CallLimits } from "./call-clock.ts";
import { evidenceOf, toEvidence } from "./evidence.ts";
import { givenPaths } from "./given-paths.ts";
import { limitDepth } from "./limit-depth.ts";
import { type Observation, toObservation } from "./observation.ts";
import { toRequestId } from "./request-ids.ts";
import { TimeBudget } from "./time-budget.ts";

/** A server that the checker connects to. The checker reconnects if the server crashes. */
export interface CheckTarget {
  /** The name of the server in reports. */
  readonly label: string;
  /** Returns the command or URL to connect to. This function is called once for each connection. */
  readonly open: (listen: (stderr: string) => void) => RawTarget;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Time limits, protocol and abort signal of a session. */
export interface SessionOptions {
  readonly callTimeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly protocol?: "auto" | "legacy" | "2026-07-28" | undefined;
}

/** Maximum number of restarts of a server that crashes. */
const maxRestarts = 8;
/** Number of unanswered calls after which a tool is not called again. */
const maxUnanswered = 2;
/** Minimum time limit for connecting, even if calls have a shorter time limit. */
const minConnectMs = 5_000;
/** Number of answer bytes after which no more calls are made. */
const maxBytes = 256 * 2 ** 20;

/** A connection to the checked server that counts calls, limits their time and reconnects after a crash. */
export class Session {
  readonly #target: CheckTarget;
  readonly #options: SessionOptions;
  readonly #ledger: Ledger;
  readonly #deadline: AbortSignal;
  readonly #endsAt: number;
  readonly #unanswered = new Map<string, number>();
  #connection: RawConnection | undefined;
  #restarts = 0;
  #bytes = 0;
  #stderr = "";
  #count = 0;
  #noise: string | undefined;
  #isCommand = false;
  #folders: readonly string[] = [];
  #givenPaths: readonly string[] = [];
  /** Called with every observation. */
  onObservation: (observation: Observation) => void = () => {};
  /** Returns the time that a call may take according to the definition of its tool, in milliseconds. */
  timeHintOf: (tool: string, args: UnknownRecord) => number | undefined = () => undefined;
  /**
   * Time budget for compiling the server's schemas and for checking values against them. Once the budget is spent, no
   * more calls are made.
   */
  readonly budget: TimeBudget;

  constructor(target: CheckTarget, options: SessionOptions, ledger: Ledger) {
    this.#target = target;
    this.#options = options;
    this.#ledger = ledger;
    const { signal, totalTimeoutMs } = options;
    this.budget = new TimeBudget(totalTimeoutMs / 2);
    this.#endsAt = performance.now() + totalTimeoutMs;
    const timer = AbortSignal.timeout(totalTimeoutMs);
    this.#deadline = signal === undefined ? timer : AbortSignal.any([signal, timer]);
  }

  /** The number of calls made. */
  get calls(): number {
    return this.#count;
  }

  /** The last 2,000 characters that the server wrote to stderr. */
  get stderr(): string {
    return this.#stderr;
  }

  /** True if the checker started the server as a command and talks to it over stdio. */
  get isCommand(): boolean {
    return this.#isCommand;
  }

  /** Working folder and home folder of the server, if the checker started it. */
  get folders(): readonly string[] {
    return this.#folders;
  }

  /** Paths in the arguments and environment variables of the server, if the checker started it. */
  get givenPaths(): readonly string[] {
    return this.#givenPaths;
  }

  /** The reason why no more calls can be made. Undefined if calls are still possible. */
  get stopReason(): string | undefined {
    if (this.#options.signal?.aborted) return "the check was interrupted";
    // The clock is also checked, because a blocked event loop delays the timer.
    if (this.#deadline.aborted || this.#leftMs <= 0)
      return `the check took its ${toSeconds(this.#options.totalTimeoutMs)}`;
    if (this.budget.isSpent) return "the schemas of the server take too long to check";
    if (this.#restarts > maxRestarts) return `the server broke ${this.#restarts} times`;
    if (this.#bytes > maxBytes) return "the answers took more than 256 MB";
    return undefined;
  }

  /** Returns true if the tool may be called again. */
  isCallable(tool: string): boolean {
    return this.stopReason === undefined && (this.#unanswered.get(tool) ?? 0) < maxUnanswered;
  }

  get #leftMs(): number {
    return this.#endsAt - performance.now();
  }

  /** Connects to the server. Throws a ContractError if the server cannot be reached. */
  async open(): Promise<RawConnection> {
    const listen = (text: string) => {
      this.#stderr = `${this.#stderr}${text}`.slice(-2_000);
    };
    const { headers } = this.#target;
    const target = this.#target.open(listen);
    if (typeof target === "object" && "command" in target) {
      this.#isCommand = true;
      this.#folders = [resolve(target.cwd ?? "."), homedir()];
      this.#givenPaths = givenPaths(target);
    }
    this.#connection = await connectRaw(target, {
      // The time limit is at most half of the remaining time, so that a server that does not answer can be started a
      // second time.
      timeoutMs: Math.min(
        Math.max(this.#options.callTimeoutMs, minConnectMs),
        Math.max(this.#leftMs / 2, 100),
      ),
      protocol: this.#options.protocol,
      clientInfo: { name: "foundry-contract-check", version },
      onNoise: (error) => this.#onNoise(error),
      // A reply that is no valid message must not end the call, because a rule checks whether each call gets a valid
      // answer.
      endsBrokenReplies: false,
      ...(headers === undefined ? {} : { headers }),
    });
    return this.#connection;
  }

  /** Sends a request and limits the depth of the reply. If a clock is given, the clock limits the time. */
  async request(method: string, params: UnknownRecord = {}, clock?: CallClock): Promise<RawReply> {
    const connection = await this.#connected();
    if (connection === undefined) return { kind: "none", failure: noServer };
    const reply = await connection.request(
      method,
      params,
      clock === undefined
        ? { timeoutMs: this.#options.callTimeoutMs, signal: this.#deadline }
        : {
            timeoutMs: this.#options.totalTimeoutMs,
            signal: AbortSignal.any([this.#deadline, clock.signal]),
            onProgress: () => clock.touch(),
          },
    );
    if (reply.kind === "none") return reply;
    const { value, bytes } = limitDepth(reply.kind === "result" ? reply.result : reply.data);
    this.#bytes += bytes;
    return reply.kind === "result" ? { ...reply, result: value } : { ...reply, data: value };
  }

  /** Calls a tool, and retries if the call is throttled. A timeout or a lost connection is also an observation. */
  async call(tool: string, args: UnknownRecord): Promise<Observation> {
    for (let tries = 1; ; tries++) {
      const observation = await this.#callOnce(tool, args);
      if (observation.outcome !== "throttled" || tries === maxTries || !this.isCallable(tool))
        return observation;
      await delay(retryDelayOf(observation, tries), undefined, { signal: this.#deadline }).catch(() => {});
    }
  }

  async #callOnce(tool: string, args: UnknownRecord): Promise<Observation> {
    const requestId = toRequestId(++this.#count);
    this.#noise = undefined;
    const limits = this.#limitsOf(tool, args);
    const clock = new CallClock(limits);
    const params = { name: tool, arguments: args, _meta: { "foundry-mcp/request_id": requestId } };
    const reply = await this.request("tools/call", params, clock).finally(() => clock.stop());
    const isLate = reply.kind === "none" && clock.expired !== undefined;
    const observation = toObservation(
      { tool, args, requestId },
      isLate ? { kind: "none", failure: toLateFailure(clock, limits) } : reply,
    );
    // A call that the deadline of the check aborted reveals nothing about the server.
    if (!(reply.kind === "none" && this.#deadline.aborted)) {
      this.#recordConnection(observation, clock.expired);
      this.onObservation(observation);
    }
    return observation;
  }

  /**
   * Returns the limits of a call. The tool may be silent for as long as its definition allows. A call that sends
   * progress may take up to half of the check's time limit.
   */
  #limitsOf(tool: string, args: UnknownRecord): CallLimits {
    const { callTimeoutMs, totalTimeoutMs } = this.#options;
    const totalMs = Math.max(callTimeoutMs, totalTimeoutMs / 2);
    const silenceMs = Math.max(callTimeoutMs, this.timeHintOf(tool, args) ?? 0);
    return { silenceMs, totalMs };
  }

  async close(): Promise<void> {
    await this.#connection?.close();
  }

  #recordConnection(observation: Observation, expired: CallClock["expired"]): void {
    const { reply, tool } = observation;
    if (reply.kind !== "none") {
      this.#ledger.pass("MCP-17");
      this.#ledger.pass("MCP-18");
      return;
    }
    const { error, data } = reply.failure;
    this.#unanswered.set(tool, (this.#unanswered.get(tool) ?? 0) + 1);
    if (this.#connection?.isOpen() !== false && data.error_code === "TIMEOUT") {
      // A call is slow rather than lost if it has sent progress, or if it may take longer than the check.
      if (expired === "total") this.#ledger.skip("MCP-17", error, tool);
      else this.#ledger.fail("MCP-17", evidenceOf(observation, error, { evidence: undefined }));
      return;
    }
    const output = this.#noise ?? (this.#stderr.trim() || undefined);
    this.#ledger.fail("MCP-18", {
      ...evidenceOf(observation, `The connection was lost during the call: ${error}`),
      evidence: output === undefined ? undefined : toEvidence(output.trim().slice(-300)),
    });
  }

  #onNoise(error: Error): void {
    const line = (error as { line?: unknown }).line;
    if (error.name === "NoMessage" && typeof line === "string") {
      this.#ledger.fail("MCP-19", {
        message: "A line on stdout is no message of the protocol",
        evidence: toEvidence(line),
      });
      return;
    }
    // The first error is kept, because it is the cause of the later errors.
    this.#noise ??= error.message;
  }

  async #connected(): Promise<RawConnection | undefined> {
    if (this.#connection?.isOpen()) return this.#connection;
    if (this.stopReason !== undefined) return undefined;
    this.#restarts++;
    try {
      return await this.open();
    } catch {
      this.#restarts = maxRestarts + 1;
      return undefined;
    }
  }
}

function toSeconds(ms: number): string {
  return ms === 1_000 ? "1 second" : `${ms / 1_000} seconds`;
}

function toLateFailure({ expired }: CallClock, { silenceMs, totalMs }: CallLimits) {
  const message =
    expired === "silence"
      ? `No answer came within ${toSeconds(silenceMs)}`
      : `The call was still running after ${toSeconds(totalMs)}, half of the time of the check`;
  return errorResponse(message, { errorCode: "TIMEOUT" });
}

const maxTries = 4;
const maxRetryDelayMs = 5_000;

/** Returns the time to wait before a throttled call is retried. */
function retryDelayOf({ envelope }: Observation, tries: number): number {
  const seconds: unknown = envelope?.data["retry_after_seconds"];
  const delayMs = typeof seconds === "number" && seconds >= 0 ? seconds * 1_000 : 50 * 2 ** tries;
  return Math.min(delayMs, maxRetryDelayMs);
}

const noServer = errorResponse("The server cannot be reached any more", { errorCode: "UNAVAILABLE" });
