import { recordsOf, requiresEvidence } from "../../../specs/model/evidence/verification-record.ts";
import type { SpecNode } from "../../../specs/model/spec-model.ts";
import { toList, toText } from "../api/envelope.ts";
import { LongText } from "../parts/long-text.tsx";
import { Text } from "../parts/text.tsx";
import { Ago } from "../parts/time.tsx";

/** The runs that prove a verification, newest first. */
export function Evidence({ node }: { readonly node: SpecNode }) {
  const records = recordsOf(node).toReversed();
  const { metadata } = node;
  const command = toText(metadata["command"]);
  return (
    <section>
      <h3>Evidence</h3>
      {command !== "" && (
        <p class="command">
          <Text text={command} max={400} />
        </p>
      )}
      {toText(metadata["expected"]) !== "" && <LongText text={`Expected: ${toText(metadata["expected"])}`} />}
      {records.length === 0 && (
        <p class="quiet">
          {requiresEvidence(node)
            ? "No run is recorded yet. This task cannot be completed without one."
            : "No run is recorded."}
        </p>
      )}
      <ol class="records">
        {records.slice(0, 20).map((record, index) => {
          const result = toText(record["result"]);
          const argv = toList(record["argv"]).map(String).join(" ") || toText(record["command"]);
          const exit = record["exit_code"];
          return (
            <li key={index} class={`record record-${result.toLowerCase().replaceAll(/[^a-z]/g, "")}`}>
              <p class="row">
                <strong>
                  <Text text={result || "UNKNOWN"} max={40} />
                </strong>
                {typeof exit === "number" && <span>exit {exit}</span>}
                <span class="quiet">
                  <Text text={toText(record["author"])} max={60} /> <Ago at={toText(record["verified_at"])} />
                </span>
              </p>
              {argv !== "" && (
                <p class="command">
                  <Text text={argv} max={400} />
                </p>
              )}
              {toText(record["issues"]) !== "" && <LongText text={toText(record["issues"])} />}
              {toText(record["notes"]) !== "" && <LongText text={toText(record["notes"])} />}
              {toText(record["output_hash"]) !== "" && (
                <p class="quiet">
                  Output <code>{toText(record["output_hash"]).slice(0, 20)}</code>
                </p>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
