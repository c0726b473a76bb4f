import { note, send, serve, serveCalls, success, toResult, write } from "./serve.mjs";

const kilobytes = (count, text = "x") => text.repeat(Math.ceil((count * 1_024) / text.length));

/** Writes the same over and over, as fast as it is read, and lets the rest of the server live. */
function flood(stream, text) {
  const more = () => {
    while (stream.write(text));
    stream.once("drain", () => setImmediate(more));
  };
  more();
}

/** Begins once the server is known. */
function floodAfterList(stream, text) {
  const on = {
    "tools/list": () => {
      setImmediate(() => flood(stream, text));
      return { tools: [note] };
    },
  };
  serve({ on });
}

const notification = `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "x" } })}\n`;
const megabyte = kilobytes(1_024);

/** Writes so many megabytes, each when the one before has been taken. */
function pour(megabytes, then) {
  let left = megabytes;
  const more = () => {
    while (left-- > 0) if (!write(megabyte)) return process.stdout.once("drain", more);
    then?.();
  };
  more();
}

/** Servers that say too much. */
export const floods = {
  "floods-notifications": () => floodAfterList(process.stdout, notification.repeat(500)),
  "floods-lines": () => floodAfterList(process.stdout, `${kilobytes(1, "garbage ")}\n`.repeat(50)),
  "floods-bytes": () => floodAfterList(process.stdout, kilobytes(64)),
  "floods-stderr": () => floodAfterList(process.stderr, kilobytes(64, "trouble\n")),
  "floods-at-start": () => flood(process.stdout, notification.repeat(500)),
  "floods-bytes-at-start": () => flood(process.stdout, kilobytes(64)),
  // One answer in one line of 100 MB, well-formed.
  "huge-answer": () =>
    serveCalls(({ id, params }, result) => {
      if (params.arguments?.id !== "first") return result;
      write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"`);
      pour(100, () => write(`"}]}}\n`));
    }),
  // One word of 20 MB, which is read.
  "large-answer": () => {
    const text = kilobytes(20 * 1_024);
    serveCalls(({ params }, result) =>
      params.arguments?.id === "first" ? { content: [{ type: "text", text }] } : result,
    );
  },
  "large-structure": () => {
    const rows = Array.from({ length: 200_000 }, (_, id) => ({ id, name: `row ${id}` }));
    serveCalls(({ params }, result) =>
      params.arguments?.id === "first"
        ? toResult(success({ rows }, params._meta["foundry-mcp/request_id"]))
        : result,
    );
  },
  // 60 MB of text that takes many times as much in memory, with every call.
  "tiny-lists": () => {
    const lists = "[],".repeat(20_000_000);
    serveCalls(({ id }) => {
      write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"structuredContent":{"a":[`);
      write(lists);
      write("[]]}}}\n");
    });
  },
  // A line of 100 MB that does not end.
  "endless-line": () => serve({ on: { "tools/call": () => pour(100) } }),
  "huge-list": () => {
    const on = {
      "tools/list": ({ id }) => {
        write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"tools":[],"more":"`);
        pour(100, () => write(`"}}\n`));
      },
    };
    serve({ on });
  },
  "endless-list": () => {
    let page = 0;
    serve({
      on: {
        "tools/list": () => ({ tools: [{ ...note, name: `note${++page}` }], nextCursor: `page ${page}` }),
      },
    });
  },
  "endless-empty-list": () => {
    let page = 0;
    serve({ on: { "tools/list": () => ({ tools: [], nextCursor: `page ${++page}` }) } });
  },
  "many-tools": () =>
    serve({ tools: Array.from({ length: 5_000 }, (_, index) => ({ ...note, name: `note${index}` })) }),
  "many-entries": () => {
    const entries = "{},".repeat(300_000);
    const on = {
      "tools/list": ({ id }) =>
        void write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"tools":[${entries}{}]}}\n`),
    };
    serve({ on });
  },
  "many-answers": () =>
    serveCalls(({ id }, result) => {
      for (let each = 0; each < 1_000; each++) send({ id, result });
    }),
};
