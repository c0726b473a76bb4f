import { useState } from "preact/hooks";
import { JsonText } from "../parts/json-text.tsx";
import { Text } from "../parts/text.tsx";
import type { Report } from "./read-pasted.ts";

/** A report of `foundry-mcp contract check`: what is broken comes first. */
export function ReportView({ report }: { readonly report: Report }) {
  const { verdict, target, counts, rules } = report;
  const [isWhole, setWhole] = useState(false);
  const rank = ({ status, level }: Report["rules"][number]) =>
    status === "passed"
      ? 4
      : status === "not_applicable"
        ? 5
        : level === "MUST"
          ? 0
          : level === "SHOULD"
            ? 1
            : 2;
  const sorted = rules.toSorted((a, b) => rank(a) - rank(b));
  const open = sorted.filter(({ status }) => status !== "passed" && status !== "not_applicable");
  const shown = isWhole ? sorted : open;
  return (
    <>
      <div class={`verdict ${verdict === "passed" ? "is-good" : "is-bad"}`}>
        <h2>
          Checker report: <Text text={verdict} max={40} />
        </h2>
        <p>
          <Text text={target} max={200} />
        </p>
      </div>
      <p class="diff-counts">
        {Object.entries(counts).map(([name, count]) => (
          <span key={name} class="tag">
            {count} {name.replaceAll("_", " ")}
          </span>
        ))}
      </p>
      {open.length === 0 && <p>No rule is broken.</p>}
      <ul class="findings">
        {shown.slice(0, 300).map(({ rule, level, title, status, checks, broken, reason, findings }) => (
          <li
            key={rule}
            class={`finding status-${status === "passed" ? "good" : status} level-${level.toLowerCase()}`}
          >
            <p class="row">
              <span class="tag">{level}</span>
              <code>{rule}</code>
              <span class="tag">{status.replaceAll("_", " ")}</span>
              <span class="quiet">
                {broken} of {checks} checks
              </span>
            </p>
            <p>
              <Text text={title} max={300} />
            </p>
            {reason !== "" && (
              <p class="quiet">
                <Text text={reason} max={300} />
              </p>
            )}
            {findings.length > 0 && (
              <details>
                <summary>Evidence</summary>
                <JsonText value={findings.slice(0, 20)} label={`Evidence for ${rule}`} />
              </details>
            )}
          </li>
        ))}
      </ul>
      <button type="button" class="link-button" onClick={() => setWhole(!isWhole)}>
        {isWhole ? "Show broken rules only" : `Show all ${rules.length} rules`}
      </button>
    </>
  );
}
