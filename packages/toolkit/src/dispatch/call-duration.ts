import { type Attributes, type Histogram, type MeterProvider, metrics } from "@opentelemetry/api";

const buckets = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
let provider: MeterProvider | undefined;
let histogram: Histogram | undefined;

/** Counts how long a call took, in the histogram of the MCP conventions. */
export function recordDuration(milliseconds: number, attributes: Attributes): void {
  durations().record(milliseconds / 1_000, attributes);
}

/** Asked for anew when a metrics SDK arrives: what the API gives before then stays deaf. */
function durations(): Histogram {
  const current = metrics.getMeterProvider();
  if (histogram === undefined || provider !== current) {
    provider = current;
    histogram = current.getMeter("@foundry-mcp/toolkit").createHistogram("mcp.server.operation.duration", {
      unit: "s",
      description: "The duration of a tool call as the server saw it",
      advice: { explicitBucketBoundaries: buckets },
    });
  }
  return histogram;
}
