// Metrics in the text format of Prometheus, for `/metrics` of an HTTP server or any other use.
export { type Metrics, openMetrics } from "./metrics/metrics.ts";
