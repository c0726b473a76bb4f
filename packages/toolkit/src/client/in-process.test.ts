import { ContractError, type Envelope, successResponse, timedOut } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import { action } from "../define/action.ts";
import { defineTool } from "../define/tool.ts";
import { createRegistry } from "../registry/registry.ts";
import type { InProcessTarget } from "./connect-target.ts";
import { connect } from "./connection.ts";

const requestId = "req_test";
const answering = (call: InProcessTarget["call"]) => connect({ call });

describe("a connection in process", () => {
  it("passes the call on and returns the envelope unchanged", async () => {
    const seen: unknown[] = [];
    const sent = successResponse({ n: 1 }, { requestId });
    const onProgress = () => {};
    await using connection = await answering(async (tool, args, options) => {
      seen.push(tool, args, options);
      return sent;
    });
    expect(await connection.callTool("t", { a: 1 }, { requestId, timeoutMs: 500, onProgress })).toBe(sent);
    expect(seen).toEqual([
      "t",
      { a: 1 },
      { requestId, timeoutMs: 500, signal: expect.any(AbortSignal), onProgress },
    ]);
    expect(connection.protocolVersion).toBeUndefined();
    expect(await connection.listTools()).toEqual([]);
  });

  it("adds the request id where the answer has none", async () => {
    await using connection = await answering(async () => successResponse({}));
    expect(await connection.callTool("t", {}, { requestId })).toEqual(successResponse({}, { requestId }));
  });

  it.each<[string, () => Promise<Envelope>, string]>([
    [
      "what it throws",
      () => Promise.reject(new ContractError("No", { errorCode: "FORBIDDEN" })),
      "FORBIDDEN",
    ],
    ["a bug", () => Promise.reject(new TypeError("secret")), "INTERNAL_ERROR"],
    ["what is no envelope", () => Promise.resolve("text" as never), "INVALID_FORMAT"],
  ])("fails for %s", async (_, call, code) => {
    await using connection = await answering(call);
    const envelope = await connection.callTool("t", {}, { requestId });
    expect(envelope.data).toMatchObject({ error_code: code });
    expect(envelope.meta.request_id).toBe(requestId);
    expect(envelope.error).not.toContain("secret");
  });

  it("does not wait for a target that ignores its timeout and its signal", async () => {
    await using connection = await answering(() => new Promise(() => {}));
    const late = await connection.callTool("t", {}, { timeoutMs: 10 });
    expect(late.data).toMatchObject({ error_code: "TIMEOUT" });
    const controller = new AbortController();
    const pending = connection.callTool("t", {}, { signal: controller.signal });
    controller.abort();
    expect((await pending).data).toMatchObject({ error_code: "CANCELLED" });
  });

  it("accepts an infinite timeout", async () => {
    const { promise, resolve } = createPromise<Envelope>();
    await using connection = await answering(() => promise);
    const pending = connection.callTool("t", {}, { timeoutMs: Number.POSITIVE_INFINITY });
    setTimeout(() => resolve(successResponse({ done: true })), 20);
    expect((await pending).data).toEqual({ done: true });
  });

  it("calls a registry like any server", async () => {
    let runs = 0;
    const flaky = () => {
      runs += 1;
      if (runs % 2 === 1) throw timedOut(1);
      return { runs };
    };
    const tool = defineTool({
      name: "notes",
      version: "1.0.0",
      description: "Notes",
      actions: {
        read: action({ description: "Reads", readOnly: true, run: flaky }),
        write: action({ description: "Writes", run: flaky }),
      },
    });
    await using connection = await connect(createRegistry({ name: "test", version: "1.2.3", tools: [tool] }));
    expect(connection.serverInfo).toEqual({ name: "test", version: "1.2.3" });
    expect((await connection.listTools()).map(({ name }) => name)).toContain("notes");
    const retry = { baseDelayMs: 0 };
    const read = await connection.callTool("notes", { action: "read" }, { retry, requestId });
    expect({ data: read.data, id: read.meta.request_id }).toEqual({ data: { runs: 2 }, id: requestId });
    const write = await connection.callTool("notes", { action: "write" }, { retry });
    expect(write.data).toMatchObject({ error_code: "TIMEOUT" });
    expect(runs).toBe(3);
  });

  it("does not call when the signal is already aborted, nor after close", async () => {
    let calls = 0;
    const connection = await answering(async () => {
      calls += 1;
      return successResponse({});
    });
    const early = await connection.callTool("t", {}, { signal: AbortSignal.abort() });
    expect(early.data).toMatchObject({ error_code: "CANCELLED" });
    await connection.close();
    expect((await connection.callTool("t")).data).toMatchObject({ error_code: "UNAVAILABLE" });
    expect(calls).toBe(0);
  });
});

function createPromise<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
