// Metrics in the text format of Prometheus, for `/metrics` of a server over HTTP or any other place.
export { type Metrics, openMetrics } from "./metrics/metrics.ts";
