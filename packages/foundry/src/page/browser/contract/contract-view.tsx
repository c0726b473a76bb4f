import { useMemo, useState } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";
import { JsonText } from "../parts/json-text.tsx";
import { Text } from "../parts/text.tsx";
import { shortText } from "../parts/visible-text.ts";
import { examples } from "./examples.ts";
import { type Pasted, readPasted } from "./read-pasted.ts";
import { ReportView } from "./report-view.tsx";

/** A larger file is no answer of a tool, and reading it would stop the page. */
const maxFileBytes = 20_000_000;

/** Checks any answer against the contract. Everything happens in the browser: nothing that is pasted leaves it. */
export function ContractView() {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const pasted = useMemo(() => readPasted(text), [text]);
  const open = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > maxFileBytes) return setProblem(`${file.name} is larger than 20 MB`);
    setProblem("");
    setText(await file.text());
  };
  return (
    <div class="contract-view">
      <div class="view-header">
        <h1>Contract</h1>
        <p class="quiet">
          Paste an answer of any MCP tool. It is checked here in the browser, and sent nowhere.
        </p>
      </div>
      <div class="contract-columns">
        <section aria-label="Input">
          <label class="field">
            <span>Answer, MCP result or checker report as JSON</span>
            <textarea
              class="code"
              rows={18}
              spellcheck={false}
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
              onDragOver={(event) => event.preventDefault()}
              onDrop={(event) => {
                const file = event.dataTransfer?.files[0];
                if (file === undefined) return;
                event.preventDefault();
                void open(file);
              }}
            />
          </label>
          <p class="row">
            <label class="button">
              <Icon name="file" />
              Open a file
              <input
                type="file"
                class="hidden-text"
                accept=".json,application/json"
                onChange={({ currentTarget }) => void open(currentTarget.files?.[0])}
              />
            </label>
            {Object.entries(examples).map(([name, example]) => (
              <button
                key={name}
                type="button"
                class="link-button"
                onClick={() => setText(JSON.stringify(example, null, 2))}
              >
                {name}
              </button>
            ))}
          </p>
          {problem !== "" && (
            <p class="problem" role="alert">
              <Text text={problem} max={300} />
            </p>
          )}
        </section>
        <section class="contract-result" aria-label="Result" aria-live="polite">
          <Result pasted={pasted} />
        </section>
      </div>
    </div>
  );
}

function Result({ pasted }: { readonly pasted: Pasted }) {
  if (pasted.kind === "empty")
    return (
      <p class="quiet">
        The dialect, the rules that the answer breaks, and its form in the other dialects appear here.
      </p>
    );
  if (pasted.kind === "not-json")
    return (
      <div class="verdict is-bad">
        <h2>This is not JSON</h2>
        <p>
          <Text text={pasted.message} max={300} />
        </p>
      </div>
    );
  if (pasted.kind === "report") return <ReportView report={pasted.report} />;
  const { dialect, findings, forms, problem } = pasted;
  const broken = findings.filter(({ level }) => level === "MUST").length;
  const kind =
    dialect === null ? "is-bad" : broken > 0 ? "is-bad" : findings.length > 0 ? "is-fair" : "is-good";
  return (
    <>
      <div class={`verdict ${kind}`}>
        <h2>{dialect === null ? "This is no dialect of the contract" : `An answer in ${dialect}`}</h2>
        <p>
          {findings.length === 0
            ? "It keeps all rules."
            : `${broken} MUST ${broken === 1 ? "rule is" : "rules are"} broken, ${findings.length - broken} further ${findings.length - broken === 1 ? "note" : "notes"}.`}
        </p>
      </div>
      {findings.length > 0 && (
        <ul class="findings">
          {findings.slice(0, 200).map((finding, index) => (
            <li key={index} class={`finding level-${finding.level.toLowerCase()}`}>
              <p class="row">
                <span class="tag">{finding.level}</span>
                <code>{finding.rule}</code>
                <code class="path">{shortText(finding.path, 120)}</code>
              </p>
              <p>
                <Text text={finding.message} max={400} />
              </p>
              <p class="quiet">
                <Text text={finding.remedy} max={300} />
              </p>
            </li>
          ))}
        </ul>
      )}
      {problem !== "" && (
        <p class="problem">
          <Text text={problem} max={400} />
        </p>
      )}
      {forms
        .filter((form) => form.dialect !== dialect)
        .map((form) => (
          <details key={form.dialect} class="form">
            <summary>In {form.dialect}</summary>
            <JsonText value={form.value} label={`The answer in ${form.dialect}`} />
          </details>
        ))}
    </>
  );
}
