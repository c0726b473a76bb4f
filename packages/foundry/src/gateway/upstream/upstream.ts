import {
  type ContractError,
  type Failure,
  fromUnknown,
  isContractError,
  type UnknownRecord,
} from "@foundry-mcp/contract";
import { type CallSlots, createCallSlots, type Logger } from "@foundry-mcp/toolkit";
import {
  connectRaw,
  type RawConnection,
  type RawReply,
  type RawRequestOptions,
  readProtocolError,
  toRpcError,
} from "@foundry-mcp/toolkit/client";
import { Backoff } from "./backoff.ts";
import { Breaker, type BreakerState } from "./breaker.ts";
import { readLists, type UpstreamLists } from "./definitions.ts";
import type { UpstreamTarget } from "./open-target.ts";
import { unavailableUpstream } from "./unavailable-upstream.ts";

/** The limits of one upstream. */
export interface UpstreamLimits {
  /** The time limit of a call in milliseconds. */
  readonly timeoutMs: number;
  /** The maximum number of concurrent calls. */
  readonly concurrency: number;
}

/** What an upstream needs and reports to. */
export interface UpstreamOptions extends UpstreamLimits {
  readonly name: string;
  readonly target: UpstreamTarget;
  readonly version: string;
  readonly logger: Logger;
  /** True if the questions of the upstream are passed to clients. */
  readonly relaysQuestions: boolean;
  /** Called with the lists of the upstream, each time that they were read. */
  readonly onLists: (lists: UpstreamLists) => void;
}

/** `starting` until the first connection, `ready` while connected, `waiting` before the next attempt to connect. */
export type UpstreamState = "starting" | "ready" | "waiting" | "closed";

/** The state of an upstream for people. */
export interface UpstreamStatus {
  readonly name: string;
  readonly label: string;
  readonly state: UpstreamState;
  readonly restarts: number;
  readonly breaker: BreakerState;
  /** Why the upstream is not ready or its breaker not closed. */
  readonly reason?: string;
  readonly server?: { readonly name: string; readonly version: string };
  readonly protocol_version?: string;
  /** The number of lines on stdout that were no messages. */
  readonly noise: number;
}

/** The longest time that connecting may take. */
const maxConnectMs = 30_000;
/** The longest wait for a restart; a call that would wait longer fails at once. */
const maxWaitMs = 1_500;
/** The number of calls that wait for a slot for each call that runs. */
const waitingPerSlot = 4;
const maxStderr = 2_000;
const maxShown = 200;
const idleCheckMs = 50;
const logLevelKey = "io.modelcontextprotocol/logLevel";
/** The codes of failures in which no upstream answered; other failures are answers. */
const silentCodes: ReadonlySet<string> = new Set([
  "UNAVAILABLE",
  "DEPENDENCY_UNAVAILABLE",
  "TIMEOUT",
  "UPSTREAM_ERROR",
]);

/**
 * A server behind the gateway: connected in the background, connected again with increasing delays after it ended, and
 * protected by a breaker and a limit of concurrent calls.
 */
export class Upstream {
  readonly name: string;
  readonly #options: UpstreamOptions;
  readonly #slots: CallSlots;
  readonly #breaker = new Breaker();
  readonly #backoff = new Backoff();
  readonly #closing = new AbortController();
  #connection: RawConnection | undefined;
  #opening: Promise<RawConnection> | undefined;
  #restartTimer: NodeJS.Timeout | undefined;
  #hasStarted = false;
  #restarts = 0;
  #noise = 0;
  /** The number of requests that have begun and not ended. */
  #running = 0;
  #stderr = "";
  #lastFailure: Failure | undefined;
  #reading: Promise<void> | undefined;
  #mustReadAgain = false;
  /** Settles when the first attempt to connect has ended, with or without success. */
  readonly started: Promise<void>;
  #markStarted: () => void = () => {};

  constructor(options: UpstreamOptions) {
    this.name = options.name;
    this.#options = options;
    const { concurrency } = options;
    this.#slots = createCallSlots({ running: concurrency, waiting: concurrency * waitingPerSlot });
    this.started = new Promise((resolve) => {
      this.#markStarted = resolve;
    });
  }

  get limits(): UpstreamLimits {
    return this.#options;
  }

  get relaysQuestions(): boolean {
    return this.#options.relaysQuestions;
  }

  /** True if the upstream asks by the results of requests, as since protocol version 2026-07-28. */
  get returnsQuestions(): boolean {
    return this.relaysQuestions && this.#isModern;
  }

  get #isModern(): boolean {
    return (this.#connection?.protocolVersion ?? "") >= "2026-07-28";
  }

  /** True if the upstream completes the arguments of prompts and resource templates. */
  get completes(): boolean {
    return this.#connection?.capabilities?.["completions"] !== undefined;
  }

  get redact(): UpstreamTarget["redact"] {
    return this.#options.target.redact;
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  get status(): UpstreamStatus {
    const { name, target } = this.#options;
    const reason = this.#breaker.reason ?? (this.#connection === undefined ? this.#reason : undefined);
    const { serverInfo, protocolVersion } = this.#connection ?? {};
    return {
      name,
      label: target.redact(target.label),
      state: this.#state,
      restarts: this.#restarts,
      breaker: this.#breaker.state,
      ...(reason === undefined ? {} : { reason }),
      ...(serverInfo === undefined
        ? {}
        : { server: { name: this.#toShown(serverInfo.name), version: this.#toShown(serverInfo.version) } }),
      ...(protocolVersion === undefined ? {} : { protocol_version: protocolVersion }),
      noise: this.#noise,
    };
  }

  get #state(): UpstreamState {
    if (this.#isClosed) return "closed";
    if (this.#connection !== undefined) return "ready";
    return this.#hasStarted ? "waiting" : "starting";
  }

  /** Returns a text of the upstream for the status, without secrets and not longer than a line. */
  #toShown(text: string): string {
    return this.redact(text).slice(0, maxShown).toWellFormed();
  }

  get #reason(): string | undefined {
    if (this.#lastFailure === undefined) return undefined;
    return this.redact(this.#lastFailure.error);
  }

  /** Connects in the background. */
  start(): void {
    void this.#connect().catch(() => {});
  }

  /** Calls a tool of the upstream; never throws. */
  callTool(
    params: UnknownRecord,
    options: RawRequestOptions & { readonly client: string },
  ): Promise<RawReply> {
    if (!this.#isModern) return this.#guarded("tools/call", params, options);
    // Servers of protocol version 2026-07-28 send log messages only to requests that name a level.
    const meta = { ...(params["_meta"] as UnknownRecord | undefined), [logLevelKey]: "info" };
    return this.#guarded("tools/call", { ...params, _meta: meta }, options);
  }

  /** Sends any other request to the upstream; never throws. */
  async request(method: string, params: UnknownRecord, signal?: AbortSignal): Promise<RawReply> {
    const { returnsQuestions } = this;
    const { timeoutMs } = this.#options;
    return this.#guarded(method, params, { client: "", signal, timeoutMs, returnsQuestions });
  }

  async #guarded(
    method: string,
    params: UnknownRecord,
    { client, ...options }: RawRequestOptions & { readonly client: string },
  ): Promise<RawReply> {
    const retryAfterMs = this.#breaker.admit();
    if (retryAfterMs !== undefined)
      return { kind: "none", failure: fromUnknown(this.#refusal(retryAfterMs)) };
    let holdsSlot = false;
    this.#running += 1;
    try {
      const waiting = this.#slots.acquire(client);
      if (waiting !== undefined)
        await raceAbort(waiting, options.signal).catch((reason: unknown) => {
          this.#slots.cancel(client, waiting);
          throw reason;
        });
      holdsSlot = true;
      let connection = this.#ready ?? (await raceAbort(this.#connect(), options.signal));
      let reply = await connection.request(method, params, options);
      if (isSessionLost(reply)) {
        // The server has refused the call before running it, because it was restarted or has closed the session.
        void this.#drop(connection);
        connection = await raceAbort(this.#connect(), options.signal);
        reply = await connection.request(method, params, options);
      }
      this.#judge(reply);
      return reply;
    } catch (thrown) {
      this.#breaker.forget();
      const { signal } = options;
      return { kind: "none", failure: readProtocolError(thrown, { signal, called: false }) };
    } finally {
      this.#running -= 1;
      if (holdsSlot) this.#slots.release(client);
    }
  }

  #refusal(retryAfterMs: number): ContractError {
    const reason = `it failed repeatedly, last: ${this.redact(this.#breaker.reason ?? "no answer")}`;
    return unavailableUpstream({ upstream: this.name, reason, retryAfterMs });
  }

  /** Learns from a reply whether the upstream works. */
  #judge(reply: RawReply): void {
    if (reply.kind !== "none") {
      this.#breaker.succeed();
      this.#backoff.reset();
      return;
    }
    const { error_code: code } = reply.failure.data;
    if (!silentCodes.has(String(code))) {
      this.#breaker.forget();
      return;
    }
    this.#lastFailure = reply.failure;
    const opens = this.#breaker.fail(reply.failure.error);
    // A process that hangs may work again after a restart.
    const connection = this.#connection;
    if (opens && connection !== undefined && this.#options.target.isCommand) void this.#drop(connection);
  }

  /** The connection, if it is open; most calls need not wait for it. */
  get #ready(): RawConnection | undefined {
    return this.#connection?.isOpen() === true && !this.#isClosed ? this.#connection : undefined;
  }

  /** Returns the connection; connects if there is none and the time for the next attempt has come. */
  #connect(): Promise<RawConnection> {
    if (this.#isClosed) return Promise.reject(new Error("Not connected"));
    if (this.#ready !== undefined) return Promise.resolve(this.#ready);
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #open(): Promise<RawConnection> {
    const waitMs = this.#backoff.leftMs;
    if (waitMs > maxWaitMs) throw this.#notReady(waitMs);
    if (waitMs > 0) await this.#delay(waitMs);
    clearTimeout(this.#restartTimer);
    if (this.#hasStarted) this.#restarts += 1;
    try {
      const connection = await this.#openOnce();
      this.#connection = connection;
      this.#lastFailure = undefined;
      this.#options.logger.info({ upstream: this.name }, "upstream connected");
      return connection;
    } catch (thrown) {
      const failure = this.#toStartFailure(thrown);
      this.#lastFailure = failure;
      this.#options.logger.warn(
        { upstream: this.name, reason: this.redact(failure.error) },
        "upstream not connected",
      );
      this.#scheduleRestart();
      throw this.#notReady(this.#backoff.leftMs);
    } finally {
      this.#hasStarted = true;
      this.#markStarted();
    }
  }

  async #openOnce(): Promise<RawConnection> {
    const { target, version, timeoutMs, name } = this.#options;
    this.#stderr = "";
    const timeout = Math.min(maxConnectMs, Math.max(timeoutMs, 5_000));
    let open: RawConnection | undefined;
    const opened = await connectRaw(
      target.open((text) => this.#keepStderr(text)),
      {
        clientInfo: { name: "foundry-gateway", version },
        timeoutMs: timeout,
        relaysQuestions: this.#options.relaysQuestions,
        ...(target.headers === undefined ? {} : { headers: target.headers }),
        ...(target.login === undefined ? {} : { login: target.login }),
        onClose: () => this.#onClose(open),
        onListChanged: () => this.#refresh(),
        onNoise: () => {
          this.#noise += 1;
        },
      },
    );
    open = opened;
    if (this.#isClosed) {
      await opened.close();
      throw new Error("Not connected");
    }
    const lists = await readLists(opened, { timeoutMs: timeout, redact: this.redact });
    if (!("kind" in lists)) this.#options.onLists(lists);
    else {
      await opened.close();
      const failure = lists.kind === "none" ? lists.failure : readProtocolError(toRpcError(lists));
      throw Object.assign(new Error(`Cannot list the tools of ${name}`), { failure });
    }
    return opened;
  }

  #toStartFailure(thrown: unknown): Failure {
    const { failure } = thrown as { readonly failure?: Failure };
    const known = failure ?? readProtocolError(thrown, { called: false });
    // The last line of stderr usually says why a command ended.
    const line = this.#stderr.trimEnd().split("\n").at(-1)?.trim().slice(0, 300) ?? "";
    const message = isContractError(thrown) ? thrown.message : known.error;
    return line === "" ? { ...known, error: message } : { ...known, error: `${message}; stderr: ${line}` };
  }

  #notReady(retryAfterMs: number): ContractError {
    const reason = this.#reason ?? "it is not connected";
    return unavailableUpstream({ upstream: this.name, reason, retryAfterMs });
  }

  /** Reads the lists again; changes that arrive while they are read cause one more reading. */
  #refresh(): void {
    if (this.#reading !== undefined) {
      this.#mustReadAgain = true;
      return;
    }
    const connection = this.#connection;
    if (connection === undefined) return;
    this.#reading = (async () => {
      const lists = await readLists(connection, { timeoutMs: this.#options.timeoutMs, redact: this.redact });
      if (!("kind" in lists)) this.#options.onLists(lists);
    })()
      .catch((err: unknown) => this.#options.logger.warn({ upstream: this.name, err }, "upstream lists"))
      .finally(() => {
        this.#reading = undefined;
        if (!this.#mustReadAgain) return;
        this.#mustReadAgain = false;
        this.#refresh();
      });
  }

  #onClose(connection: RawConnection | undefined): void {
    if (this.#connection !== connection || connection === undefined) return;
    this.#connection = undefined;
    if (this.#isClosed) return;
    this.#options.logger.warn({ upstream: this.name }, "upstream closed its connection");
    this.#scheduleRestart();
  }

  /** Gives up a connection that no longer works. */
  async #drop(connection: RawConnection): Promise<void> {
    if (this.#connection === connection) {
      this.#connection = undefined;
      if (this.#options.target.isCommand) this.#scheduleRestart();
    }
    await connection.close().catch(() => {});
  }

  /** Connects again after the delay of the backoff. */
  #scheduleRestart(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#restartTimer);
    const delayMs = this.#backoff.next();
    this.#restartTimer = setTimeout(() => this.start(), delayMs);
    this.#restartTimer.unref();
  }

  #keepStderr(text: string): void {
    this.#stderr = (this.#stderr + text).slice(-maxStderr);
    const { logger } = this.#options;
    if (logger.isLevelEnabled?.("debug") !== false)
      logger.debug({ upstream: this.name, stderr: this.redact(text.slice(-maxStderr)) }, "upstream stderr");
  }

  #delay(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const { signal } = this.#closing;
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener("abort", end, { once: true });
    });
  }

  /** Closes the connection when the running calls have ended, but not later than after the time limit of a call. */
  async closeWhenIdle(): Promise<void> {
    const endAt = performance.now() + this.#options.timeoutMs;
    while (this.#running > 0 && performance.now() < endAt) await this.#delay(idleCheckMs);
    await this.close();
  }

  /** Closes the connection, and ends the process of a command. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#restartTimer);
    this.#markStarted();
    const opening = this.#opening?.catch(() => undefined);
    const connection = this.#connection ?? (await opening);
    this.#connection = undefined;
    await connection?.close();
  }
}

/** True for the answer of an HTTP server that does not know the session of the connection. */
function isSessionLost(reply: RawReply): boolean {
  if (reply.kind !== "none") return false;
  const { details } = reply.failure.data;
  return details?.["resource_type"] === "session" || details?.["status"] === 404;
}

function raceAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
