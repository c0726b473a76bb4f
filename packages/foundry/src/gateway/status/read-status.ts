import { ContractError, type Envelope, readEnvelope } from "@foundry-mcp/contract";
import { parseJsonText } from "@foundry-mcp/contract/input";
import type { GatewayStatus } from "../tools/status-tool.ts";

/** The URL of a gateway that serves HTTP, and the bearer token of the caller. */
export interface StatusSource {
  readonly url: string;
  readonly token: string | undefined;
  /** The command that starts a gateway, which the error suggests if no gateway answers. */
  readonly startCommand: string;
}

const timeoutMs = 10_000;

/** Requests the status of a running gateway. Throws a ContractError if no gateway answers. */
export async function readStatus({
  url,
  token,
  startCommand,
}: StatusSource): Promise<Envelope<GatewayStatus>> {
  const address = toAddress(url);
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  let text: string;
  try {
    const response = await fetch(new URL("/api/tools/gateway", address), {
      method: "POST",
      body: "{}",
      headers: { ...headers, "Content-Type": "application/json" },
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    text = await response.text();
  } catch (cause) {
    throw noGateway(address, "nothing answers", startCommand, cause);
  }
  let value: unknown;
  try {
    value = parseJsonText(text);
  } catch (cause) {
    throw noGateway(address, "the answer is no envelope", startCommand, cause);
  }
  return readEnvelope(value) as Envelope<GatewayStatus>;
}

function toAddress(url: string): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address !== undefined && /^https?:$/.test(address.protocol)) return address;
  throw new ContractError("Cannot ask the gateway: its address does not begin with http:// or https://", {
    errorCode: "INVALID_FORMAT",
    remediation: "Give --url an address such as http://127.0.0.1:3117.",
    details: { field: "url", constraint: "format" },
  });
}

function noGateway({ host }: URL, reason: string, startCommand: string, cause: unknown): ContractError {
  return new ContractError(`Cannot ask the gateway at ${host}: ${reason}`, {
    errorCode: "DEPENDENCY_UNAVAILABLE",
    remediation: `Start a gateway that serves HTTP with ${startCommand}, or give --url the address of one.`,
    details: { field: "url" },
    cause,
  });
}
