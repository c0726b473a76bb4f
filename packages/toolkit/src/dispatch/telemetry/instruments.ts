import type { Attributes, Counter, Histogram, Meter, MeterProvider } from "@opentelemetry/api";
import type { Logger } from "../../context/logger.ts";
import { telemetryApi } from "./telemetry-api.ts";

/**
 * Creates an instrument, and creates it again when a metrics SDK is registered, because an instrument from before
 * the registration records nothing. Without an SDK, there is no instrument.
 */
function createInstrument<T>(create: (meter: Meter) => T): () => T | undefined {
  let provider: MeterProvider | undefined;
  let instrument: T | undefined;
  return () => {
    const current = telemetryApi()?.metrics.getMeterProvider();
    if (current === undefined) return undefined;
    if (instrument === undefined || provider !== current) {
      provider = current;
      instrument = create(current.getMeter("@foundry-mcp/toolkit"));
    }
    return instrument;
  };
}

/** Creates a counter of calls or responses. */
export function createCallCounter(name: string, description: string): (attributes?: Attributes) => void {
  const counter = createInstrument<Counter>((meter) => meter.createCounter(name, { description }));
  return (attributes) => counter()?.add(1, attributes);
}

const durations = createInstrument<Histogram>((meter) =>
  meter.createHistogram("mcp.server.operation.duration", {
    unit: "s",
    description: "The duration of a tool call as the server saw it",
    advice: { explicitBucketBoundaries: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300] },
  }),
);

/** Records the duration of a call in the histogram of the MCP conventions. */
export function recordDuration(milliseconds: number, attributes: Attributes): void {
  durations()?.record(milliseconds / 1_000, attributes);
}

/** Counts a response in response-v1. */
export const countV1 = createCallCounter("foundry.responses.v1", "Answers in the deprecated response-v1");
/** The clients that have already been reported to each logger, at most `maxNamed`. */
const named = new WeakMap<Logger, Set<string>>();
const maxNamed = 1_000;

/** Counts a response in response-v1, and logs once per client that the dialect is deprecated. */
export function countDeprecated(logger: Logger, client: string): void {
  countV1();
  const clients = named.get(logger) ?? new Set();
  named.set(logger, clients);
  if (clients.has(client) || clients.size >= maxNamed) return;
  clients.add(client);
  logger.warn({ client }, "response-v1 is deprecated: ask for response_contract v2");
}
