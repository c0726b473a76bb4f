import { it } from "vitest";
import { checkHostilePayloads } from "./hostile-payloads.ts";

it("bears any payload", () => {
  checkHostilePayloads(Number(process.env["PROVE_RUNS"] ?? 5_000));
});
