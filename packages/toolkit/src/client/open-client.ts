import { setTimeout as delay } from "node:timers/promises";
import type { ContractError, Failure } from "@foundry-mcp/contract";
import {
  Client,
  type ClientOptions,
  type ElicitRequestFormParams,
  type StandardSchemaV1,
} from "@modelcontextprotocol/client";
import { readProtocolError } from "../result/read-error.ts";
import { ChildTransport } from "./child-transport.ts";
import { type ConnectOptions, toTimeout } from "./connect-target.ts";
import type { OpenedTransport } from "./open-transport.ts";
import { toContractError } from "./unwrap.ts";

/** Accepts any result unchanged: the SDK's own schemas would reject what a careless server sends. */
export const anyResult: StandardSchemaV1<unknown, unknown> = {
  "~standard": { version: 1, vendor: "foundry-mcp", validate: (value) => ({ value }) },
};

/** A connected client of the SDK. */
export interface OpenClient {
  readonly client: Client;
  /** False once the connection is closed. */
  isOpen(): boolean;
  close(): Promise<void>;
}

/** The name and version (of this package) that a client reports by default. */
export const defaultClientInfo = { name: "foundry-mcp-client", version: "0.1.0" } as const;

const maxFarewellMs = 1_000;
/** Commands that speak an earlier protocol may never answer the probe, so they are treated as legacy after this time. */
const maxProbeMs = 5_000;

/** Connects a client over a transport; throws a ContractError where no server answers. */
export async function openClient(open: () => OpenedTransport, options: ConnectOptions): Promise<OpenClient> {
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
  // Some servers of earlier protocols exit at the probe of 2026-07-28, so they are started again without it.
  const second = open();
  try {
    return await connectClient(second, { ...options, protocol: "legacy" });
  } catch (thrown) {
    throw toConnectError(thrown, second);
  }
}

async function connectClient(opened: OpenedTransport, options: ConnectOptions): Promise<OpenClient> {
  const { transport } = opened;
  const client = createClient(opened, options);
  let isOpen = true;
  client.onclose = () => {
    isOpen = false;
  };
  if (options.onNoise !== undefined) {
    client.onerror = options.onNoise;
    if (transport instanceof ChildTransport) transport.onnoise = options.onNoise;
  }
  try {
    await client.connect(transport, { timeout: toTimeout(options.timeoutMs) });
  } catch (thrown) {
    await client.close().catch(ignore);
    await transport.close().catch(ignore);
    throw thrown;
  }
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
function createClient({ isCommand }: OpenedTransport, options: ConnectOptions): Client {
  const timeoutMs = toTimeout(options.timeoutMs);
  const { clientInfo = defaultClientInfo, protocol = "auto", onElicit, onSample } = options;
  const mode = protocol === "2026-07-28" ? { pin: protocol } : protocol;
  const probeMs = isCommand ? Math.min(maxProbeMs, timeoutMs) : timeoutMs;
  const settings: ClientOptions = {
    versionNegotiation: { mode, probe: { timeoutMs: probeMs } },
    // Only a client with handlers can answer the server's requests.
    inputRequired: { autoFulfill: onElicit !== undefined || onSample !== undefined },
    capabilities: {
      ...(onElicit === undefined ? {} : { elicitation: { form: {} } }),
      ...(onSample === undefined ? {} : { sampling: {} }),
    },
  };
  const client = new Client(clientInfo, settings);
  if (onElicit !== undefined)
    client.setRequestHandler("elicitation/create", ({ params }) =>
      onElicit(params as ElicitRequestFormParams),
    );
  if (onSample !== undefined)
    client.setRequestHandler("sampling/createMessage", ({ params }) => onSample(params));
  return client;
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

/** Returns advice for a URL where no MCP server answers; during a call the same fault has another meaning. */
function adviceFor({ data }: Failure, label: string): Advice | undefined {
  if (!URL.canParse(label)) return undefined;
  const { host, hostname, pathname } = new URL(label);
  const { reason, status } = data.details ?? {};
  if (status === 404 || status === 405)
    return {
      why: `there is no MCP at the path "${pathname}" (HTTP status ${status})`,
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
        why: `no host is known by the name ${hostname}`,
        remediation: "Check the host of the address.",
      };
    case "BAD_PORT":
      return {
        why: `no HTTP client asks at ${host}, for the port is kept for another protocol`,
        remediation: "Check the port of the address, or serve on another one.",
      };
    default:
      return undefined;
  }
}

/** True where the command could not be started: a second attempt would fail too. */
function isSpawnError(thrown: unknown): boolean {
  const { syscall } = (thrown ?? {}) as { syscall?: unknown };
  return typeof syscall === "string" && syscall.startsWith("spawn");
}

/** Terminates the session on servers that have sessions, without waiting long for the answer. */
async function terminateSession(transport: object): Promise<void> {
  const { terminateSession: terminate } = transport as { terminateSession?: () => Promise<void> };
  if (typeof terminate !== "function") return;
  const timer = new AbortController();
  const timeout = delay(maxFarewellMs, undefined, { signal: timer.signal }).catch(ignore);
  await Promise.race([terminate.call(transport).catch(ignore), timeout]);
  timer.abort();
}

/** Lowers the first letter for the middle of a sentence, unless an abbreviation begins it. */
function lowerFirst(text: string): string {
  return /^[A-Z][a-z ]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

function ignore(): void {}
