import { checkEnvelope } from "@foundry-mcp/contract";
import { createHttpApp } from "@foundry-mcp/toolkit/http";
import { createMemoryJobs } from "@foundry-mcp/toolkit/jobs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jsonValue } from "../toolkit/hostile-calls.ts";
import { findLeaks } from "../toolkit/leaks.ts";
import { openRawStdio, type RawStdio } from "../toolkit/raw-rpc.ts";
import { silentLogger } from "../toolkit/silent-logger.ts";
import { type Answer, createTaskPeer, offersAll } from "./task-peer.ts";
import { createTaskRegistry } from "./task-tools.ts";

const methods = ["tasks/get", "tasks/update", "tasks/cancel"] as const;
const statuses = ["working", "input_required", "completed", "failed", "cancelled"];
/** The codes of refused parameters. -32020 is the code of a header that differs from its parameter. */
const codes = [-32_602, -32_600, -32_020];

/** Checks an answer, which is a task, an acknowledgement, or an error that contains an envelope. */
function checkAnswer(method: string, { result, error }: Answer): void {
  if (error !== undefined) {
    expect(codes).toContain(error.code);
    expect(findLeaks(JSON.stringify(error))).toEqual([]);
    if (error.code === -32_602 && error.data !== undefined) {
      const faults = checkEnvelope(error.data, { deep: true }).filter(({ level }) => level === "MUST");
      expect(faults).toEqual([]);
    }
    return;
  }
  const { resultType, _meta, ...members } = result ?? {};
  expect(resultType).toBe("complete");
  if (method === "tasks/get") expect(statuses).toContain(members["status"]);
  else expect(members).toEqual({});
}

const key = fc.oneof(fc.constantFrom("question_1", "__proto__", "constructor", ""), fc.string());
const inputResponses = fc.oneof(jsonValue, fc.dictionary(key, jsonValue));

/** Sends hostile requests about tasks. `runs` is the number of requests over each transport. */
export function describeTaskFuzz(runs: number): void {
  describe("hostile requests about tasks", () => {
    /** Generates the parameters of a request, about one of the existing tasks or about anything else. */
    const paramsAbout = (ids: readonly string[]) =>
      fc.record(
        { taskId: fc.oneof(fc.constantFrom(...ids), fc.string(), jsonValue), inputResponses },
        { requiredKeys: [] },
      );

    it("are answered over HTTP", async () => {
      const jobs = createMemoryJobs({ limits: { pollIntervalMs: 20 } });
      const app = createHttpApp(createTaskRegistry({ jobs, logger: silentLogger }), { logger: silentLogger });
      const peer = createTaskPeer(app);
      const ids = await Promise.all(["count", "greet", "lose", "hang"].map((tool) => peer.start(tool)));
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...methods), paramsAbout(ids), async (method, params) => {
          checkAnswer(method, await peer.request(method, params));
        }),
        { numRuns: runs },
      );
      await app.close();
    });

    describe("over stdio", () => {
      let peer: RawStdio;
      beforeAll(async () => {
        peer = await openRawStdio("../tasks/task-stdio", "modern");
      });
      afterAll(() => peer.close());
      const meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1.0.0" },
        "io.modelcontextprotocol/clientCapabilities": offersAll,
      };
      const send = (method: string, params: object): Promise<Answer> =>
        peer.requestText(method, JSON.stringify({ ...params, _meta: meta })) as Promise<Answer>;

      it("are answered", async () => {
        const started = await Promise.all(
          ["count", "greet", "lose", "hang"].map((name) => send("tools/call", { name, arguments: {} })),
        );
        const ids = started.map(({ result }) => String(result?.["taskId"]));
        await fc.assert(
          fc.asyncProperty(fc.constantFrom(...methods), paramsAbout(ids), async (method, params) => {
            checkAnswer(method, await send(method, params));
          }),
          { numRuns: runs },
        );
        expect(peer.strays).toEqual([]);
      });
    });
  });
}
