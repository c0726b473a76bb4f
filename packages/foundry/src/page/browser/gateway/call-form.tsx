import { parseJsonText } from "@foundry-mcp/contract/input";
import { useState } from "preact/hooks";
import { callTool } from "../api/call-tool.ts";
import { toRecord } from "../api/envelope.ts";
import { JsonText } from "../parts/json-text.tsx";
import { Text } from "../parts/text.tsx";
import { session } from "../state/session.ts";
import { useStore } from "../state/store.ts";

/** Calls any tool of the server or of the gateway beside it, and shows the envelope of the answer. */
export function CallForm() {
  const current = useStore(session);
  const tools = current.state === "open" ? current.session.tools : [];
  const behind = current.state === "open" ? current.session.gateway_tools : [];
  const [tool, setTool] = useState(tools.includes("spec") ? "spec" : (tools[0] ?? ""));
  // A tool of the gateway may have the name of a tool of the server.
  const [place, setPlace] = useState<"specs" | "gateway">("specs");
  const [args, setArgs] = useState(tools.includes("spec") ? '{\n  "action": "list"\n}' : "{}");
  const [problem, setProblem] = useState("");
  const [answer, setAnswer] = useState<{
    readonly raw: unknown;
    readonly ms: number;
    readonly isOk: boolean;
  }>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    let given: unknown;
    try {
      given = parseJsonText(args.trim() === "" ? "{}" : args);
    } catch (cause) {
      setProblem(`The arguments are not JSON: ${cause instanceof Error ? cause.message : ""}`);
      return;
    }
    setProblem("");
    setBusy(true);
    const begin = performance.now();
    const result = await callTool(tool, toRecord(given), undefined, place);
    const raw = result.ok ? result.raw : (result.error.raw ?? result.error);
    setAnswer({ raw, ms: Math.round(performance.now() - begin), isOk: result.ok });
    setBusy(false);
  };
  return (
    <section class="call" aria-labelledby="call-title">
      <h2 id="call-title">Make a call</h2>
      <form onSubmit={submit} class="call-form">
        <label class="field">
          <span>Tool</span>
          <select
            value={`${place} ${tool}`}
            onChange={({ currentTarget: { value } }) => {
              setPlace(value.startsWith("gateway ") ? "gateway" : "specs");
              setTool(value.slice(value.indexOf(" ") + 1));
            }}
          >
            <ToolOptions place="specs" label="This server" tools={tools} />
            {behind.length > 0 && <ToolOptions place="gateway" label="Gateway" tools={behind} />}
          </select>
        </label>
        <label class="field">
          <span>Arguments as JSON</span>
          <textarea
            class="code"
            rows={5}
            spellcheck={false}
            value={args}
            onInput={({ currentTarget }) => setArgs(currentTarget.value)}
            aria-invalid={problem !== ""}
          />
        </label>
        {problem !== "" && (
          <p class="problem" role="alert">
            <Text text={problem} max={300} />
          </p>
        )}
        <button type="submit" class="primary" disabled={isBusy || tool === ""}>
          {isBusy ? "Calling…" : "Call"}
        </button>
      </form>
      {answer !== undefined && (
        <div class="call-answer" role="status">
          <p class="row">
            <span class={`tag state-${answer.isOk ? "good" : "bad"}`}>
              {answer.isOk ? "success" : "failure"}
            </span>
            <span class="quiet">{answer.ms} ms</span>
          </p>
          <JsonText value={answer.raw} label="Envelope of the answer" />
        </div>
      )}
    </section>
  );
}

function ToolOptions({
  place,
  label,
  tools,
}: {
  readonly place: "specs" | "gateway";
  readonly label: string;
  readonly tools: readonly string[];
}) {
  return (
    <optgroup label={label}>
      {tools.map((each) => (
        <option key={each} value={`${place} ${each}`}>
          {each}
        </option>
      ))}
    </optgroup>
  );
}
