import { conflict, unavailable } from "@foundry-mcp/contract";
import { diag, metrics } from "@opentelemetry/api";
import { PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import { MeterProvider, MetricReader } from "@opentelemetry/sdk-metrics";

/** The metrics that this process has recorded. */
export interface Metrics {
  /** Returns the metrics in the text format of Prometheus, version 0.0.4. */
  render(): Promise<string>;
  /** Stops recording. */
  close(): Promise<void>;
}

/** A metric reader that collects only on demand. */
class PullReader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

/**
 * Starts recording: from now on, `render` returns what this process records through OpenTelemetry.
 *
 * @example
 * const metrics = openMetrics();
 * await serveHttp(registry, { metrics });
 */
export function openMetrics(): Metrics {
  const reader = new PullReader();
  const provider = new MeterProvider({ readers: [reader] });
  if (!metrics.setGlobalMeterProvider(provider)) {
    throw conflict("Cannot open metrics: this process has a MeterProvider of OpenTelemetry already", {
      remediation:
        "Add a reader to that provider, such as PrometheusExporter: it sees all that the toolkit records.",
    });
  }
  // The serializer leaves out the resource and timestamps, because Prometheus adds the service name and timestamps
  // itself.
  const serializer = new PrometheusSerializer(undefined, false, undefined, true);
  let isClosed = false;
  return {
    async render() {
      if (isClosed) throw unavailable("Cannot read the metrics: they are closed");
      const { resourceMetrics, errors } = await reader.collect();
      for (const error of errors) diag.error("metrics", error);
      return toText(serializer.serialize(resourceMetrics));
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      if (metrics.getMeterProvider() === provider) metrics.disable();
      await provider.shutdown();
    },
  };
}

/** Adds the line feed that must end the text; the serializer leaves it out if nothing was recorded. */
function toText(serialized: string): string {
  return serialized.endsWith("\n") ? serialized : `${serialized}\n`;
}
