import { isContractError } from "@foundry-mcp/contract";
import { metrics as api } from "@opentelemetry/api";
import { afterEach, describe, expect, it } from "vitest";
import { type Metrics, openMetrics } from "./metrics.ts";

let metrics: Metrics | undefined;
afterEach(async () => {
  await metrics?.close();
  api.disable();
});

const failureOf = async (work: () => unknown): Promise<unknown> => {
  try {
    return await work();
  } catch (thrown) {
    return isContractError(thrown)
      ? [thrown.options.errorCode, thrown.message, thrown.options.remediation]
      : thrown;
  }
};

describe("metrics", () => {
  it("render what was recorded through OpenTelemetry since they were opened", async () => {
    metrics = openMetrics();
    expect(await metrics.render()).toBe("# no registered metrics\n");
    const counter = api.getMeter("harbour").createCounter("ships.in", { description: "Ships\nthat came" });
    counter.add(2, { "ship.name": 'the "\\Old\n"' });
    counter.add(3, { "ship.name": 'the "\\Old\n"' });
    expect(await metrics.render()).toBe(
      [
        "# HELP ships_in_total Ships\\nthat came",
        "# TYPE ships_in_total counter",
        'ships_in_total{ship_name="the \\"\\\\Old\\n\\"",otel_scope_name="harbour"} 5',
        "",
      ].join("\n"),
    );
  });

  it("refuse to open where there is a MeterProvider", async () => {
    metrics = openMetrics();
    const own = api.getMeterProvider();
    expect(await failureOf(() => openMetrics())).toEqual([
      "CONFLICT",
      "Cannot open metrics: this process has a MeterProvider of OpenTelemetry already",
      "Add a reader to that provider, such as PrometheusExporter: it sees all that the toolkit records.",
    ]);
    expect(api.getMeterProvider()).toBe(own);
  });

  it("free the MeterProvider when they are closed", async () => {
    metrics = openMetrics();
    await metrics.close();
    await metrics.close();
    const closed = metrics;
    expect(await failureOf(() => closed.render())).toEqual([
      "UNAVAILABLE",
      "Cannot read the metrics: they are closed",
      undefined,
    ]);
    metrics = openMetrics();
    expect(await metrics.render()).toBe("# no registered metrics\n");
  });
});
