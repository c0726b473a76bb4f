import { describe, expect, it } from "vitest";
import { createPendingRequests } from "./pending-requests.ts";

const request = (id: number | string) => ({ jsonrpc: "2.0" as const, id, method: "tools/list" });

describe("the pending requests of a session", () => {
  it("are pending until they are answered or cancelled", () => {
    const pending = createPendingRequests();
    for (const id of [1, 2, "2", 3, 3]) pending.onReceived(request(id));
    pending.onReceived({ jsonrpc: "2.0", method: "notifications/initialized" });
    pending.onReceived({ jsonrpc: "2.0", id: 2, result: {} });
    expect(pending.size).toBe(4);
    pending.onSent({ jsonrpc: "2.0", id: 3, result: {} });
    pending.onSent({ jsonrpc: "2.0", id: 1, method: "elicitation/create" });
    pending.onReceived({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } });
    pending.onReceived({ jsonrpc: "2.0", method: "notifications/cancelled" });
    expect(pending.size).toBe(2);
    pending.onSent({ jsonrpc: "2.0", id: 1, error: { code: 1, message: "no" } });
    pending.onSent({ jsonrpc: "2.0", id: "2", result: {} });
    expect(pending.size).toBe(0);
  });

  it("are tracked up to a maximum", () => {
    const pending = createPendingRequests();
    for (let id = 0; id < 5_000; id++) pending.onReceived(request(id));
    expect(pending.size).toBe(1_024);
  });
});
