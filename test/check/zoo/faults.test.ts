import { describe, expect, it } from "vitest";
import { createGoodServer } from "./good-server.ts";
import type { RpcMessage } from "./rpc.ts";
import { serveRaw } from "./serve-raw.ts";
import { brokenServers } from "./zoo.ts";
import { openZooClient } from "./zoo-client.ts";
import type { ZooEntry } from "./zoo-entry.ts";

/** Calls that show every fault which a call can show. */
const calls: readonly (readonly [string, object])[] = [
  ["note", { action: "list" }],
  ["note", { action: "list", limit: 2 }],
  ["note", { action: "list", limit: 0 }],
  ["note", { action: "list", cursor: "nonsense" }],
  ["note", { action: "get", note_id: "note-01", with_text: null }],
  ["note", { action: "get", note_id: "note-99" }],
  ["note", { action: "erase" }],
  ["echo", { text: "hello" }],
  ["echo", { text: "hello" }],
  ["echo", { text: "hello", times: 0 }],
  ["echo", { text: " " }],
  ["echo", { text: null }],
  ["echo", { text: {} }],
  ["echo", { colour: "red" }],
  ["echo", {}],
  ["handbook", { max_tokens: 2000 }],
  ["content", { action: "get", content_id: "sec-20" }],
  ["nothing", {}],
];

/**
 * Returns all answers of a server to these calls, without their durations. A call without an answer is
 * marked.
 */
async function toTranscript(entry: Pick<ZooEntry, "serve">): Promise<readonly unknown[]> {
  const client = await openZooClient(entry);
  const said: unknown[] = [(await client.request("tools/list")).result];
  const ask = (tool: string, args: object) => {
    const answer = client.call(tool, args, `req_${said.length}`);
    // Answers arrive in the order of the requests, so no other answer can arrive after the answer to the ping.
    return Promise.race([answer, client.request("ping").then(() => answerOrNone(answer))]);
  };
  for (const [tool, args] of calls) said.push(withoutTimes(await ask(tool, args)));
  const second = await followCursor(client.call.bind(client));
  said.push(withoutTimes(second));
  await client.close();
  return said;
}

const none = "no answer";
const answerOrNone = (answer: Promise<RpcMessage>) => Promise.race([answer, Promise.resolve(none)]);

/** Returns the second page of the notes, if the first page has a cursor. */
async function followCursor(call: (tool: string, args: object) => Promise<RpcMessage>): Promise<unknown> {
  const first = JSON.stringify(await call("note", { action: "list", limit: 2 }));
  const cursor = /"cursor":"([\w-]+)"/.exec(first)?.[1];
  return cursor === undefined ? none : call("note", { action: "list", limit: 2, cursor });
}

function withoutTimes(said: unknown): unknown {
  return JSON.parse(JSON.stringify(said).replace(/(\\?"duration_ms\\?"):\d+/g, "$1:0"));
}

describe("every fault shows", () => {
  const inProcess = brokenServers.filter(
    ({ needsProcess, name }) => !needsProcess && name !== "other-than-expected",
  );

  it.each(inProcess)("$name", async (entry) => {
    const good = { serve: serveGood(entry) };
    const [before, again, broken] = [
      await toTranscript(good),
      await toTranscript(good),
      await toTranscript(entry),
    ];
    // The good server gives the same answers twice, so any difference is caused by the fault.
    expect(again).toEqual(before);
    expect(broken).not.toEqual(before);
  });

  const serveGood =
    ({ dialect }: ZooEntry): ZooEntry["serve"] =>
    (transport) =>
      serveRaw(createGoodServer({}, dialect), transport);
});
