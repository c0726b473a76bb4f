import type { Logger } from "../context/logger.ts";
import { createCallCounter } from "./telemetry/instruments.ts";

/** Counts an answer in response-v1. */
export const countV1 = createCallCounter("foundry.responses.v1", "Answers in the deprecated response-v1");
/** Whom the log has named; past this many it names no more. */
const named = new WeakMap<Logger, Set<string>>();
const mostNamed = 1_000;

/** Counts an answer in response-v1, and says once per client in the log that it is deprecated. */
export function countDeprecated(logger: Logger, client: string): void {
  countV1();
  const clients = named.get(logger) ?? new Set();
  named.set(logger, clients);
  if (clients.has(client) || clients.size >= mostNamed) return;
  clients.add(client);
  logger.warn({ client }, "response-v1 is deprecated: ask for response_contract v2");
}
