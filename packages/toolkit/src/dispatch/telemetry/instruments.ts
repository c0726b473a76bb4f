import { type Attributes, type Counter, type MeterProvider, metrics } from "@opentelemetry/api";

/** Counts something that happens to calls, for whoever reads the metrics. */
export function createCallCounter(name: string, description: string): (attributes?: Attributes) => void {
  let provider: MeterProvider | undefined;
  let counter: Counter | undefined;
  return (attributes) => {
    // Asked for anew when a metrics SDK arrives: what the API gives before then stays deaf.
    const current = metrics.getMeterProvider();
    if (counter === undefined || provider !== current) {
      provider = current;
      counter = current.getMeter("@foundry-mcp/toolkit").createCounter(name, { description });
    }
    counter.add(1, attributes);
  };
}
