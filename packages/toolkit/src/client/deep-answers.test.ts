import { expect, it } from "vitest";
import { connect } from "./connection.ts";
import { connectRaw } from "./raw-connection.ts";

/** The script of a server whose answers nest 100,000 levels deep. */
const script = `
const deep = "[".repeat(100000) + "]".repeat(100000);
const answers = {
  initialize: '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}',
  "tools/list": '{"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"items":' + deep + '}}}}]}',
  "tools/call": '{"content":[{"type":"text","text":"x"}],"structuredContent":{"a":' + deep + '}}',
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result = answers[method];
  console.log(result === undefined
    ? JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } })
    : '{"jsonrpc":"2.0","id":' + id + ',"result":' + result + "}");
});`;
const target = { command: process.execPath, args: ["-e", script] };

it("answers a result that nests too deeply with a failure, and the connection lives", async () => {
  const connection = await connect(target);
  try {
    for (const _ of [1, 2]) {
      const { success, error, data } = await connection.callTool("t", {});
      expect([success, error, (data as { error_code?: unknown }).error_code]).toEqual([
        false,
        "The server answered something that is no tool result: it nests lists and objects deeper than 1,000 levels",
        "UPSTREAM_ERROR",
      ]);
    }
    const listed = await connection.listTools().then(
      (tools) => tools.map(({ name }) => name),
      (thrown: unknown) => thrown,
    );
    expect(listed).not.toBeInstanceOf(RangeError);
  } finally {
    await connection.close();
  }
});

it("is passed on as it is by a raw connection, which its user cuts", async () => {
  const connection = await connectRaw(target);
  try {
    const kinds: string[] = [];
    for (const method of ["tools/list", "tools/call"])
      kinds.push((await connection.request(method, { name: "t" })).kind);
    expect(kinds).toEqual(["result", "result"]);
  } finally {
    await connection.close();
  }
});
