import { serveCalls as onCall, send, serve, write } from "./serve.mjs";

/** Servers whose lines are not what they should be. */
export const lines = {
  // The classic: a word of welcome before anything is asked.
  banner: () => {
    write("Listening on stdio\n");
    serve();
  },
  "invalid-json": () => onCall(() => void write('{"jsonrpc":"2.0","id":1,"result":{"content":[\n')),
  "not-utf8": () =>
    onCall((_, result) => {
      process.stdout.write(Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28, 0x0a]));
      return result;
    }),
  "not-json-rpc": () =>
    onCall((_, result) => {
      for (const value of [null, 7, "text", [], {}, { jsonrpc: "1.0" }, { jsonrpc: "2.0", id: {} }, [[1]]])
        write(`${JSON.stringify(value)}\n`);
      return result;
    }),
  "wrong-id": () => onCall((_, result) => void send({ id: 987_654, result })),
  "text-id": () => onCall(({ id }, result) => void send({ id: String(id), result })),
  "answers-twice": () =>
    onCall(({ id }, result) => {
      send({ id, result });
      return result;
    }),
  "result-and-error": () =>
    onCall(({ id }, result) => void send({ id, result, error: { code: 1, message: "both" } })),
  "no-result": () => onCall(({ id }) => void send({ id })),
  "odd-results": () => {
    const odd = [
      {},
      { content: 7 },
      { content: [null, 7, { type: "text", text: 5 }] },
      { structuredContent: [1] },
      null,
      7,
    ];
    let count = 0;
    onCall(() => odd[count++ % odd.length] ?? null);
  },
  "odd-errors": () => {
    const odd = [
      {},
      { code: "x" },
      { code: -1, message: 7 },
      "text",
      null,
      { code: -32602, message: "no", data: [[]] },
    ];
    let count = 0;
    onCall(({ id }) => void send({ id, error: odd[count++ % odd.length] }));
  },
  "odd-list": () =>
    serve({
      tools: [
        null,
        7,
        "text",
        [],
        {},
        { name: 7 },
        { name: "" },
        { name: "bare" },
        { name: "nulls", inputSchema: null },
      ],
    }),
  "list-of-nothing": () => serve({ on: { "tools/list": () => ({ tools: "none" }) } }),
  "deep-answer": () =>
    onCall(({ id, params }, result) => {
      if (params.arguments?.id !== "first") return result;
      const deep = "[".repeat(100_000) + "]".repeat(100_000);
      write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":{"deep":${deep}}}}\n`);
    }),
  "deep-envelope": () =>
    onCall(({ id, params }, result) => {
      if (params.arguments?.id !== "first") return result;
      const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
      const envelope = `{"success":true,"data":${deep},"error":null,"meta":{"version":"response-v2"}}`;
      const content = `[{"type":"text","text":${JSON.stringify(envelope)}}]`;
      write(`{"jsonrpc":"2.0","id":${id},"result":{"content":${content},"structuredContent":${envelope}}}\n`);
    }),
  "proto-keys": () =>
    onCall(({ id, params }) => {
      const own = '"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}';
      const request = JSON.stringify(params._meta["foundry-mcp/request_id"]);
      const data =
        params.arguments?.id === "first"
          ? `{${own}}`
          : `{${own},"error_code":"VALIDATION_ERROR","error_type":"validation","remediation":"Send id."}`;
      const isGood = params.arguments?.id === "first";
      const envelope = `{"success":${isGood},"data":${data},"error":${isGood ? null : '"Bad id"'},"meta":{"version":"response-v2","request_id":${request},${own}}}`;
      const content = `[{"type":"text","text":${JSON.stringify(envelope)}}]`;
      write(
        `{"jsonrpc":"2.0","id":${id},"result":{"content":${content},"structuredContent":${envelope},"isError":${!isGood},${own}}}\n`,
      );
    }),
};
