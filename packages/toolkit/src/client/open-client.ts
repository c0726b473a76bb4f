import { setTimeout as delay } from "node:timers/promises";
import type { ContractError, Failure } from "@foundry-mcp/contract";
import type { Client, StandardSchemaV1 } from "@modelcontextprotocol/client";
import { readProtocolError } from "../result/read-error.ts";
import { ChildTransport } from "./child-transport.ts";
import { type ConnectOptions, toTimeout } from "./connect-target.ts";
import { createClient } from "./create-client.ts";
import type { OpenedTransport } from "./open-transport.ts";
import { toContractError } from "./unwrap.ts";

/** Takes any result as it is: the SDK's own schemas would throw away what a careless server sent. */
export const anyResult: StandardSchemaV1<unknown, unknown> = {
  "~standard": { version: 1, vendor: "foundry-mcp", validate: (value) => ({ value }) },
};

/** A client of the SDK with a server at its other end. */
export interface OpenClient {
  readonly client: Client;
  /** False once no request can get through any more. */
  isOpen(): boolean;
  close(): Promise<void>;
}

const longestFarewellMs = 1_000;

/** Connects a client over a transport; throws a ContractError when there is no one to talk to. */
export async function openClient(open: () => OpenedTransport, options: ConnectOptions): Promise<OpenClient> {
  const first = open();
  try {
    return await connectClient(first, options);
  } catch (thrown) {
    if (
      !first.isCommand ||
      options.protocol === "legacy" ||
      options.protocol === "2026-07-28" ||
      isMissing(thrown)
    )
      throw toConnectError(thrown, first);
  }
  // Some servers of before 2026-07-28 end at a question that they do not know.
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
      await sayGoodbye(transport);
      await client.close().catch(ignore);
    },
  };
}

function toConnectError(thrown: unknown, { label }: OpenedTransport): ContractError {
  const failure = readProtocolError(thrown, { called: false });
  const advice = adviseOn(failure, label);
  const data = advice === undefined ? failure.data : { ...failure.data, remediation: advice.remediation };
  const why = advice?.why ?? lowerFirst(failure.error);
  return toContractError({ ...failure, data, error: `Cannot connect to ${label}: ${why}` });
}

interface Advice {
  readonly why: string;
  readonly remediation: string;
}

/** What an address that leads nowhere needs; the same fault of a call says something else. */
function adviseOn({ data }: Failure, label: string): Advice | undefined {
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

/** A command that is not there is not there the second time either. */
function isMissing(thrown: unknown): boolean {
  const { syscall } = (thrown ?? {}) as { syscall?: unknown };
  return typeof syscall === "string" && syscall.startsWith("spawn");
}

/** Ends the session on servers that keep one; a server that does not answer is not waited for. */
async function sayGoodbye(transport: object): Promise<void> {
  const { terminateSession } = transport as { terminateSession?: () => Promise<void> };
  if (typeof terminateSession !== "function") return;
  const timer = new AbortController();
  const late = delay(longestFarewellMs, undefined, { signal: timer.signal }).catch(ignore);
  await Promise.race([terminateSession.call(transport).catch(ignore), late]);
  timer.abort();
}

/** For the middle of a sentence; what begins with an abbreviation stays. */
function lowerFirst(text: string): string {
  return /^[A-Z][a-z ]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

function ignore(): void {}
