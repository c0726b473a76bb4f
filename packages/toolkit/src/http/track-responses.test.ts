import { EventEmitter } from "node:events";
import type { Server } from "node:http";
import { describe, expect, it } from "vitest";
import { trackResponses } from "./track-responses.ts";

describe("the responses of a server", () => {
  const server = new EventEmitter();
  const responses = trackResponses(server as Server);
  /** Receives a request; returns the function that ends its response. */
  const receive = (method: string, headers: object = {}) => {
    const response = new EventEmitter();
    server.emit("request", { method, headers }, response);
    return () => response.emit("close");
  };

  it("are waited for if they are pending already, and notification streams never are", async () => {
    const first = receive("POST");
    const second = receive("POST");
    receive("GET");
    receive("POST", { "mcp-method": "subscriptions/listen" });
    const sent: string[] = [];
    const waiting = responses.sent().then(() => sent.push("all"));
    const late = receive("POST");
    first();
    await new Promise((resolve) => setImmediate(resolve));
    sent.push("first");
    second();
    await waiting;
    expect(sent).toEqual(["first", "all"]);
    late();
    await responses.sent();
  });
});
