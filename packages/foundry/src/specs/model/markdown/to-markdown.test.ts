import { test } from "vitest";
import { proveRoundTrip } from "./testing/prove-round-trip.ts";

test("Markdown of a spec is parsed back to the same draft, whatever the texts are", () => {
  proveRoundTrip(100);
});
