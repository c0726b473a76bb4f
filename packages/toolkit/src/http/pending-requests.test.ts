import { describe, expect, it } from "vitest";
import { createUnanswered } from "./pending-requests.ts";

const request = (id: number | string) => ({ jsonrpc: "2.0" as const, id, method: "tools/list" });

describe("the requests of a session that wait", () => {
  it("do so until they are answered or cancelled", () => {
    const unanswered = createUnanswered();
    for (const id of [1, 2, "2", 3, 3]) unanswered.take(request(id));
    unanswered.take({ jsonrpc: "2.0", method: "notifications/initialized" });
    unanswered.take({ jsonrpc: "2.0", id: 2, result: {} });
    expect(unanswered.size).toBe(4);
    unanswered.send({ jsonrpc: "2.0", id: 3, result: {} });
    unanswered.send({ jsonrpc: "2.0", id: 1, method: "elicitation/create" });
    unanswered.take({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } });
    unanswered.take({ jsonrpc: "2.0", method: "notifications/cancelled" });
    expect(unanswered.size).toBe(2);
    unanswered.send({ jsonrpc: "2.0", id: 1, error: { code: 1, message: "no" } });
    unanswered.send({ jsonrpc: "2.0", id: "2", result: {} });
    expect(unanswered.size).toBe(0);
  });

  it("are no more than can be kept", () => {
    const unanswered = createUnanswered();
    for (let id = 0; id < 5_000; id++) unanswered.take(request(id));
    expect(unanswered.size).toBe(1_024);
  });
});
