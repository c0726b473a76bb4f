import { homedir } from "node:os";
import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { errorResponse, type UnknownRecord } from "@foundry-mcp/contract";
import { connectRaw, type RawConnection, type RawReply, type RawTarget } from "@foundry-mcp/toolkit/client";
import type { Ledger } from "../findings/ledger.ts";
import { boundValue } from "./limit-depth.ts";
import { evidenceOf, toEvidence } from "./evidence.ts";
import { type Observation, toObservation } from "./observation.ts";
import { TimeBudget } from "./time-budget.ts";

/** A server that can be connected to, as often as it takes. */
export interface CheckTarget {
  /** How reports call it. */
  readonly label: string;
  /** Gives what to connect to; asked again for each connection. */
  readonly open: (listen: (stderr: string) => void) => RawTarget;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** How long a session may take, and who may end it. */
export interface SessionOptions {
  readonly callTimeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly protocol?: "auto" | "legacy" | "2026-07-28" | undefined;
}

/** A server that breaks more often is not started again. */
const mostRestarts = 8;
/** A tool that leaves so many calls unanswered is not called again. */
const mostTimeouts = 2;
/** Connecting may take so long, however little time a call has. */
const shortestConnectMs = 5_000;
/** After so many bytes of answers nothing more is asked. */
const mostBytes = 256 * 2 ** 20;

/** A server under observation: every call is counted, bounded in time, and survives the server. */
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
  #places: readonly string[] = [];
  /** Told of every observation that was made. */
  onObserve: (observation: Observation) => void = () => {};
  /** What may be spent on the server's schemas; where it is gone, nothing more is asked. */
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

  /** The calls that were made. */
  get calls(): number {
    return this.#count;
  }

  /** The last of what the server wrote to stderr. */
  get stderr(): string {
    return this.#stderr;
  }

  /** True where the server is a process of ours, spoken to over stdio. */
  get isCommand(): boolean {
    return this.#isCommand;
  }

  /** The folders of the server's process, where it is one of ours. */
  get places(): readonly string[] {
    return this.#places;
  }

  /** Why nothing more can be asked; undefined while it can. */
  get exhausted(): string | undefined {
    if (this.#options.signal?.aborted) return "the check was interrupted";
    // The clock, for where a timer does not get its turn.
    if (this.#deadline.aborted || this.#leftMs <= 0)
      return `the check took its ${toSeconds(this.#options.totalTimeoutMs)}`;
    if (this.budget.isSpent) return "the schemas of the server take too long to check";
    if (this.#restarts > mostRestarts) return `the server broke ${this.#restarts} times`;
    if (this.#bytes > mostBytes) return "the answers took more than 256 MB";
    return undefined;
  }

  /** True for a tool that is worth a further call. */
  answers(tool: string): boolean {
    return this.exhausted === undefined && (this.#unanswered.get(tool) ?? 0) < mostTimeouts;
  }

  get #leftMs(): number {
    return this.#endsAt - performance.now();
  }

  /** Connects; throws a ContractError where there is no server. */
  async open(): Promise<RawConnection> {
    const listen = (text: string) => {
      this.#stderr = `${this.#stderr}${text}`.slice(-2_000);
    };
    const { headers } = this.#target;
    const target = this.#target.open(listen);
    this.#isCommand = typeof target === "object" && "command" in target;
    // Of a server at an address nobody knows where it lives.
    if (typeof target === "object" && "command" in target)
      this.#places = [resolve(target.cwd ?? "."), homedir()];
    this.#connection = await connectRaw(target, {
      // A half of what is left: a server that does not answer is started a second time.
      timeoutMs: Math.min(
        Math.max(this.#options.callTimeoutMs, shortestConnectMs),
        Math.max(this.#leftMs / 2, 100),
      ),
      protocol: this.#options.protocol,
      clientInfo: { name: "foundry-contract-check", version: "0.1.0" },
      onNoise: (error) => this.#hear(error),
      ...(headers === undefined ? {} : { headers }),
    });
    return this.#connection;
  }

  /** Sends a request that is no call of a tool. */
  async request(method: string, params: UnknownRecord = {}): Promise<RawReply> {
    const connection = await this.#connected();
    if (connection === undefined) return { kind: "none", failure: noServer };
    const reply = await connection.request(method, params, {
      timeoutMs: this.#options.callTimeoutMs,
      signal: this.#deadline,
    });
    if (reply.kind === "none") return reply;
    const { value, bytes } = boundValue(reply.kind === "result" ? reply.result : reply.data);
    this.#bytes += bytes;
    return reply.kind === "result" ? { ...reply, result: value } : { ...reply, data: value };
  }

  /** Calls a tool, again where the server asks to wait. It may hang, break or leave: that is an observation too. */
  async call(tool: string, args: UnknownRecord): Promise<Observation> {
    for (let tries = 1; ; tries++) {
      const observation = await this.#callOnce(tool, args);
      if (observation.outcome !== "throttled" || tries === mostTries || !this.answers(tool))
        return observation;
      await delay(waitOf(observation, tries), undefined, { signal: this.#deadline }).catch(() => {});
    }
  }

  async #callOnce(tool: string, args: UnknownRecord): Promise<Observation> {
    const requestId = `check-${++this.#count}`;
    const made = { tool, args, requestId };
    this.#noise = undefined;
    const reply = await this.request("tools/call", {
      name: tool,
      arguments: args,
      _meta: { "foundry-mcp/request_id": requestId },
    });
    const observation = toObservation(made, reply);
    // What was cut off by the end of the check says nothing of the server.
    if (!(reply.kind === "none" && this.#deadline.aborted)) {
      this.#judgeConnection(observation);
      this.onObserve(observation);
    }
    return observation;
  }

  async close(): Promise<void> {
    await this.#connection?.close();
  }

  #judgeConnection(observation: Observation): void {
    const { reply, tool } = observation;
    if (reply.kind !== "none") {
      this.#ledger.keep("MCP-17");
      this.#ledger.keep("MCP-18");
      return;
    }
    const { error, data } = reply.failure;
    if (this.#connection?.isOpen() !== false && data.error_code === "TIMEOUT") {
      this.#unanswered.set(tool, (this.#unanswered.get(tool) ?? 0) + 1);
      const message = `No answer came within ${toSeconds(this.#options.callTimeoutMs)}`;
      this.#ledger.break("MCP-17", evidenceOf(observation, message, { evidence: undefined }));
      return;
    }
    const heard = this.#noise ?? (this.#stderr.trim() || undefined);
    this.#unanswered.set(tool, (this.#unanswered.get(tool) ?? 0) + 1);
    this.#ledger.break("MCP-18", {
      ...evidenceOf(observation, `The connection was lost during the call: ${error}`),
      evidence: heard === undefined ? undefined : toEvidence(heard.trim().slice(-300)),
    });
  }

  #hear(error: Error): void {
    const line = (error as { line?: unknown }).line;
    if (error.name === "NoMessage" && typeof line === "string") {
      this.#ledger.break("MCP-19", {
        message: "A line on stdout is no message of the protocol",
        evidence: toEvidence(line),
      });
      return;
    }
    // What came first is the reason of what follows.
    this.#noise ??= error.message;
  }

  async #connected(): Promise<RawConnection | undefined> {
    if (this.#connection?.isOpen()) return this.#connection;
    if (this.exhausted !== undefined) return undefined;
    this.#restarts++;
    try {
      return await this.open();
    } catch {
      this.#restarts = mostRestarts + 1;
      return undefined;
    }
  }
}

function toSeconds(ms: number): string {
  return ms === 1_000 ? "1 second" : `${ms / 1_000} seconds`;
}

const mostTries = 4;
const longestWaitMs = 5_000;

/** How long to wait before a throttled call is made again. */
function waitOf({ envelope }: Observation, tries: number): number {
  const told: unknown = envelope?.data["retry_after_seconds"];
  const wait = typeof told === "number" && told >= 0 ? told * 1_000 : 50 * 2 ** tries;
  return Math.min(wait, longestWaitMs);
}

const noServer = errorResponse("The server cannot be reached any more", { errorCode: "UNAVAILABLE" });
