import { wrongExpectation } from "./calls.ts";
import type { Call } from "./changes.ts";
import { toWords } from "./handbook.ts";
import type { Json } from "./rpc.ts";
import { defineFault, type Faults } from "./zoo-entry.ts";

const isEcho = ({ tool, refused }: Call) => tool === "echo" && refused === undefined;

/** Returns the result with the last row of a list missing in its text. */
function withRowLess(result: Json): Json {
  const envelope = result["structuredContent"] as { readonly data: { readonly notes: readonly unknown[] } };
  const { data } = envelope;
  const text = JSON.stringify({ ...envelope, data: { ...data, notes: data.notes.slice(0, -1) } });
  return { ...result, content: [{ type: "text", text }] };
}

/** Faults in the answers of every dialect. */
export const answerFaults: Faults = {
  // The fault affects only failures, because a success without structured content would also violate its output
  // schema.
  "text-only": defineFault({
    result: ({ structuredContent, ...rest }, { refused }) =>
      refused === undefined ? { structuredContent, ...rest } : rest,
  }),
  "structured-only": defineFault({
    result: (result) => ({ ...result, content: [{ type: "text", text: "ok" }] }),
  }),
  "channels-differ": defineFault({
    result: (result, { tool, action, refused }) =>
      tool === "note" && action === "list" && refused === undefined ? withRowLess(result) : result,
  }),
  "failure-without-is-error": defineFault({ result: ({ isError: _, ...rest }) => rest }),
  "success-with-is-error": defineFault({ result: (result) => ({ ...result, isError: true }) }),
  "other-request-id": {
    changes() {
      let count = 0;
      return {
        requestId() {
          count += 1;
          return `req_own_${count}`;
        },
      };
    },
  },
  "leaks-stack": defineFault({
    refusal: (refusal) => ({
      ...refusal,
      message: `${refusal.message}\n    at readNote (/srv/zoo/dist/notes.js:41:13)\n    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)`,
    }),
  }),
  "leaks-path": defineFault({
    refusal: (refusal) => ({
      ...refusal,
      details: { ...refusal.details, data_file: "/home/keeper/zoo/data/notes.json" },
    }),
  }),
  "huge-reply": defineFault({
    data: (data, call) => (isEcho(call) ? { ...data, sound: toWords(30_000) } : data),
  }),
  "counts-up": defineFault({
    data: (data, call) => (isEcho(call) ? { ...data, echoes_so_far: call.count } : data),
  }),
  hangs: defineFault({ answer: (answer, { tool }) => (tool === "echo" ? undefined : answer) }),
  crashes: defineFault(
    {
      answer(answer, { refused }) {
        if (refused === "type") process.exit(1);
        return answer;
      },
    },
    { needsProcess: true },
  ),
  "prints-logs": defineFault(
    {
      answer(answer, { tool }) {
        process.stdout.write(`INFO called ${tool}\n`);
        return answer;
      },
    },
    { needsProcess: true },
  ),
  "other-than-expected": defineFault({}, { calls: wrongExpectation }),
};
