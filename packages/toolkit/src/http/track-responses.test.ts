import { EventEmitter } from "node:events";
import type { Server } from "node:http";
import { describe, expect, it } from "vitest";
import { watchAnswers } from "./track-responses.ts";

describe("the answers of a server", () => {
  const server = new EventEmitter();
  const answers = watchAnswers(server as Server);
  /** Lets a request come in; returns what sends its answer. */
  const receive = (method: string, headers: object = {}) => {
    const response = new EventEmitter();
    server.emit("request", { method, headers }, response);
    return () => response.emit("close");
  };

  it("are waited for where they are awaited already, and no stream of news is", async () => {
    const first = receive("POST");
    const second = receive("POST");
    receive("GET");
    receive("POST", { "mcp-method": "subscriptions/listen" });
    const sent: string[] = [];
    const waiting = answers.sent().then(() => sent.push("all"));
    const late = receive("POST");
    first();
    await new Promise((resolve) => setImmediate(resolve));
    sent.push("first");
    second();
    await waiting;
    expect(sent).toEqual(["first", "all"]);
    late();
    await answers.sent();
  });
});
