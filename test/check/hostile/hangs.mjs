import { answerNote, send, serve, write } from "./serve.mjs";

const never = () => undefined;

/** Servers that keep one waiting. */
export const hangs = {
  "hangs-at-initialize": () => serve({ on: { initialize: never, "server/discover": never } }),
  // The same, and it does not want to end.
  "hangs-stubbornly": () => {
    serve({ on: { initialize: never, "server/discover": never } });
    process.on("SIGTERM", never);
    setInterval(never, 1_000);
  },
  "hangs-at-list": () => serve({ on: { "tools/list": never } }),
  "hangs-at-calls": () => serve({ on: { "tools/call": never } }),
  // Stays after its input has ended, too.
  "hangs-for-good": () => {
    serve({ on: { "tools/call": never } });
    setInterval(never, 1_000);
  },
  "one-byte-a-second": () => {
    const on = {
      "tools/call": ({ id, params }) => {
        const bytes = [...JSON.stringify({ jsonrpc: "2.0", id, result: answerNote(params) })];
        setInterval(() => write(bytes.shift() ?? "\n"), 1_000);
      },
    };
    serve({ on });
  },
  // Answers no call before its own questions are answered as it likes.
  "asks-first": () => {
    const questions = ["sampling/createMessage", "elicitation/create", "roots/list", "ping"];
    const on = {
      "tools/call": () => {
        for (const method of questions)
          send({ id: `q-${method}`, method, params: { messages: [], maxTokens: 9 } });
      },
    };
    serve({ on });
  },
  // Asks without end, and answers in between.
  "asks-without-end": () => {
    serve();
    let count = 0;
    setInterval(() => {
      for (let each = 0; each < 100; each++)
        send({ id: `q${count++}`, method: "elicitation/create", params: {} });
    }, 5);
  },
  "ignores-sigterm": () => {
    serve();
    process.on("SIGTERM", never);
    process.on("SIGINT", never);
    setInterval(never, 1_000);
  },
};
