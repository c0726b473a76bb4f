import { setTimeout as delay } from "node:timers/promises";
import { type ContractError, type Failure, isContractError } from "@foundry-mcp/contract";
import {
  Client,
  type ClientOptions,
  type ElicitRequestFormParams,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/client";
import type { AskRequest } from "../context/ask.ts";
import { readProtocolError } from "../result/read-error.ts";
import { ChildTransport } from "./child-transport.ts";
import { type ConnectOptions, toTimeout } from "./connect-target.ts";
import type { OpenedTransport } from "./open-transport.ts";
import { SseTransport } from "./sse-transport.ts";
import { toContractError } from "./unwrap.ts";
import { version } from "./version.ts";

/** A connected client of the SDK. */
export interface OpenClient {
  readonly client: Client;
  /** False once the connection is closed. */
  isOpen(): boolean;
  close(): Promise<void>;
}

/** The options of a connection, and whether its user passes questions on instead of answering them. */
export interface OpenOptions extends ConnectOptions {
  /**
   * Receives the questions of servers with protocol versions before 2026-07-28. Other servers send their questions as
   * the results of requests, which are then returned unmodified.
   */
  readonly onQuestion?: ((request: AskRequest) => Promise<unknown>) | undefined;
}

/** The name and version (of this package) that a client reports by default. */
export const defaultClientInfo = { name: "foundry-mcp-client", version } as const;

const maxFarewellMs = 1_000;
/**
 * The time limit for the probe of 2026-07-28, in milliseconds. A command with an earlier protocol may never answer
 * the probe, so after this time the earlier protocol is used.
 */
const maxProbeMs = 5_000;

/** Connects a client over a transport; throws a ContractError if no server answers. */
export async function openClient(open: () => OpenedTransport, options: OpenOptions): Promise<OpenClient> {
  const first = open();
  try {
    return await connectClient(first, options);
  } catch (thrown) {
    if (
      !first.isCommand ||
      options.protocol === "legacy" ||
      options.protocol === "2026-07-28" ||
      isSpawnError(thrown)
    )
      throw toConnectError(thrown, first);
  }
  // Some servers with earlier protocols exit at the probe of 2026-07-28, so the server is started again without the
  // probe.
  const second = open();
  try {
    return await connectClient(second, { ...options, protocol: "legacy" });
  } catch (thrown) {
    throw toConnectError(thrown, second);
  }
}

async function connectClient(opened: OpenedTransport, options: OpenOptions): Promise<OpenClient> {
  const { transport } = opened;
  const { endsBrokenReplies = true } = options;
  const client = createClient(opened, options);
  let isOpen = true;
  let isConnected = false;
  client.onclose = () => {
    isOpen = false;
    if (isConnected) options.onClose?.();
    isConnected = false;
  };
  if (options.onNoise !== undefined) {
    client.onerror = options.onNoise;
    if (transport instanceof ChildTransport) transport.onnoise = options.onNoise;
  }
  if (transport instanceof ChildTransport) transport.endsBrokenReplies = endsBrokenReplies;
  try {
    await client.connect(transport, { timeout: toTimeout(options.timeoutMs) });
  } catch (thrown) {
    await client.close().catch(ignore);
    await transport.close().catch(ignore);
    throw thrown;
  }
  isConnected = true;
  return {
    client,
    isOpen: () => isOpen,
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await terminateSession(transport);
      await client.close().catch(ignore);
    },
  };
}

/** Creates a client of the SDK that declares its capabilities and negotiates the protocol version. */
function createClient({ isCommand, transport }: OpenedTransport, options: OpenOptions): Client {
  const timeoutMs = toTimeout(options.timeoutMs);
  const {
    clientInfo = defaultClientInfo,
    protocol = "auto",
    onElicit,
    onSample,
    onListChanged,
    onQuestion,
  } = options;
  // Servers with the transport of 2024-11-05 know no later protocol that a client would have to probe for.
  const wanted = transport instanceof SseTransport ? "legacy" : protocol;
  const mode = wanted === "2026-07-28" ? { pin: wanted } : wanted;
  const probeMs = isCommand ? Math.min(maxProbeMs, timeoutMs) : timeoutMs;
  const settings: ClientOptions = {
    versionNegotiation: { mode, probe: { timeoutMs: probeMs } },
    // A client can answer requests of the server only if it has handlers for them.
    inputRequired: { autoFulfill: onElicit !== undefined || onSample !== undefined },
    capabilities: capabilitiesFrom(options),
    ...(onListChanged === undefined ? {} : { listChanged: toListChanged(onListChanged) }),
  };
  const client = new Client(clientInfo, settings);
  if (onElicit !== undefined)
    client.setRequestHandler("elicitation/create", ({ params }) =>
      onElicit(params as ElicitRequestFormParams),
    );
  if (onSample !== undefined)
    client.setRequestHandler("sampling/createMessage", ({ params }) => onSample(params));
  if (onQuestion !== undefined) {
    for (const method of ["elicitation/create", "sampling/createMessage"] as const)
      client.setRequestHandler(method, ({ params }) => passOn(onQuestion, { method, params }) as never);
  }
  return client;
}

/** Returns the capabilities that a client with these options declares. */
export function capabilitiesFrom({
  onElicit,
  onSample,
  onQuestion,
}: OpenOptions): NonNullable<ClientOptions["capabilities"]> {
  if (onQuestion !== undefined) return { elicitation: { form: {}, url: {} }, sampling: {} };
  return {
    ...(onElicit === undefined ? {} : { elicitation: { form: {} } }),
    ...(onSample === undefined ? {} : { sampling: {} }),
  };
}

/** Passes a question on; a failure becomes a JSON-RPC error with the message of the failure. */
async function passOn(
  onQuestion: NonNullable<OpenOptions["onQuestion"]>,
  { method, params }: { readonly method: AskRequest["method"]; readonly params: object },
): Promise<unknown> {
  try {
    return await onQuestion({ method, params: { ...params } });
  } catch (thrown) {
    if (!isContractError(thrown)) throw thrown;
    throw new ProtocolError(ProtocolErrorCode.InvalidRequest, thrown.message);
  }
}

/** Subscribes to the changes of all lists; the changed list is read by the caller and not by the SDK. */
function toListChanged(
  onListChanged: NonNullable<ConnectOptions["onListChanged"]>,
): NonNullable<ClientOptions["listChanged"]> {
  const handlerOf = (kind: "tools" | "prompts" | "resources") => ({
    autoRefresh: false,
    debounceMs: 50,
    onChanged: () => onListChanged(kind),
  });
  return { tools: handlerOf("tools"), prompts: handlerOf("prompts"), resources: handlerOf("resources") };
}

function toConnectError(thrown: unknown, { label }: OpenedTransport): ContractError {
  const failure = readProtocolError(thrown, { called: false });
  const advice = adviceFor(failure, label);
  const data = advice === undefined ? failure.data : { ...failure.data, remediation: advice.remediation };
  const why = advice?.why ?? lowerFirst(failure.error);
  return toContractError({ ...failure, data, error: `Cannot connect to ${label}: ${why}` });
}

interface Advice {
  readonly why: string;
  readonly remediation: string;
}

/**
 * Returns the advice for a connection failure at a URL where no MCP server answers. The advice does not apply
 * to failures during a call, where the same error codes have other causes.
 */
function adviceFor({ data }: Failure, label: string): Advice | undefined {
  if (!URL.canParse(label)) return undefined;
  const { host, hostname, pathname } = new URL(label);
  const { reason, status } = data.details ?? {};
  if (status === 404 || status === 405)
    return {
      why: `no MCP server answers at the path "${pathname}" (HTTP status ${status})`,
      remediation: "Check the path of the address: often it is /mcp.",
    };
  switch (reason) {
    case "ECONNREFUSED":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
    case "UND_ERR_CONNECT_TIMEOUT":
      return {
        why: `nothing answers at ${host}`,
        remediation: "Start the server, or check host and port of the address.",
      };
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return {
        why: `no host has the name ${hostname}`,
        remediation: "Check the host of the address.",
      };
    case "BAD_PORT":
      return {
        why: `HTTP clients refuse to connect to ${host}, because the port is reserved for another protocol`,
        remediation: "Check the port of the address, or serve on another one.",
      };
    default:
      return undefined;
  }
}

/** True if the command could not be started; a second attempt would fail too. */
function isSpawnError(thrown: unknown): boolean {
  const { syscall } = (thrown ?? {}) as { syscall?: unknown };
  return typeof syscall === "string" && syscall.startsWith("spawn");
}

/** Terminates the session if the server has sessions; waits only briefly for the answer. */
async function terminateSession(transport: object): Promise<void> {
  const { terminateSession: terminate } = transport as { terminateSession?: () => Promise<void> };
  if (typeof terminate !== "function") return;
  const timer = new AbortController();
  const timeout = delay(maxFarewellMs, undefined, { signal: timer.signal }).catch(ignore);
  await Promise.race([terminate.call(transport).catch(ignore), timeout]);
  timer.abort();
}

/**
 * Converts the first letter to lower case for use in the middle of a sentence, unless the text begins with an
 * abbreviation.
 */
function lowerFirst(text: string): string {
  return /^[A-Z][a-z ]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

function ignore(): void {}
