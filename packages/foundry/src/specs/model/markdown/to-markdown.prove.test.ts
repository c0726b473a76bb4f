import { test } from "vitest";
import { proveRoundTrip } from "./testing/prove-round-trip.ts";

test("Markdown of a spec is parsed back to the same draft, whatever the texts are", () => {
  proveRoundTrip(Number(process.env["PROVE_RUNS"] ?? 1_000));
}, 600_000);
