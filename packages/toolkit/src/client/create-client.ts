import { Client, type ClientOptions, type ElicitRequestFormParams } from "@modelcontextprotocol/client";
import { defaultClientInfo } from "./client-info.ts";
import { type ConnectOptions, toTimeout } from "./connect-target.ts";
import type { OpenedTransport } from "./open-transport.ts";

/** Servers of before 2026-07-28 may leave the question unanswered; one that is only slow is served the old way. */
const longestProbeMs = 5_000;

/** Creates the SDK's client: it says what it can do, and finds out which protocol the server speaks. */
export function createClient({ isCommand }: OpenedTransport, options: ConnectOptions): Client {
  const timeoutMs = toTimeout(options.timeoutMs);
  const { clientInfo = defaultClientInfo, protocol = "auto", onElicit, onSample } = options;
  const mode = protocol === "2026-07-28" ? { pin: protocol } : protocol;
  const probeMs = isCommand ? Math.min(longestProbeMs, timeoutMs) : timeoutMs;
  const settings: ClientOptions = {
    versionNegotiation: { mode, probe: { timeoutMs: probeMs } },
    // Questions can be answered only by those who can.
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
