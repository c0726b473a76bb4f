import { useEffect, useState } from "preact/hooks";
import { callTool } from "../api/call-tool.ts";
import type { CallError } from "../api/envelope.ts";
import { ValueText } from "../conflict/value-text.tsx";
import { ErrorBox } from "../parts/error-box.tsx";
import { Loading } from "../parts/loading.tsx";
import { Text } from "../parts/text.tsx";
import { setQuery } from "../routes/current-route.ts";
import type { LoadedSpec } from "../state/spec-cache.ts";
import { type Diff, groupChanges, type NodeChanges } from "./group-changes.ts";

const pageSize = 100;

/** What differs between two revisions, task by task. */
export function DiffView({
  spec,
  from,
  to,
}: {
  readonly spec: LoadedSpec;
  readonly from: string;
  readonly to: string;
}) {
  const [read, setRead] = useState<{
    readonly key: string;
    readonly diff?: Diff;
    readonly error?: CallError;
  }>();
  const [max, setMax] = useState(pageSize);
  const key = `${from} ${to}`;
  useEffect(() => {
    const ended = new AbortController();
    setMax(pageSize);
    void callTool<Diff>(
      "spec",
      { action: "diff", spec_id: spec.id, from_revision: from, to_revision: to, max_tokens: 0 },
      ended.signal,
    ).then((answer) => {
      if (ended.signal.aborted) return;
      setRead(answer.ok ? { key, diff: answer.data } : { key, error: answer.error });
    });
    return () => ended.abort();
  }, [spec.id, key]);
  if (read?.key !== key) return <Loading label="Comparing the revisions" rows={6} />;
  if (read.diff === undefined) return read.error === undefined ? null : <ErrorBox error={read.error} />;
  const { changes, added, removed, fields, journal } = read.diff;
  const nodes = groupChanges(read.diff);
  const counts = [
    [changes.added, "added"],
    [changes.removed, "removed"],
    [nodes.length, "changed"],
    [journal.added, journal.added === 1 ? "journal entry" : "journal entries"],
  ] as const;
  return (
    <>
      <h2>
        Revision <code>{from.split("-")[0]}</code> to <code>{to.split("-")[0]}</code>
      </h2>
      <p class="diff-counts">
        {counts
          .filter(([count]) => count > 0)
          .map(([count, name]) => (
            <span key={name} class={`tag diff-${name.split(" ")[0]}`}>
              {count} {name}
            </span>
          ))}
        {counts.every(([count]) => count === 0) && fields.length === 0 && (
          <span class="quiet">Nothing differs.</span>
        )}
      </p>
      {[
        ["Added", added, "added"],
        ["Removed", removed, "removed"],
      ].map(([title, list, kind]) => {
        const rows = list as Diff["added"];
        return rows.length === 0 ? null : (
          <section key={String(title)}>
            <h3>{String(title)}</h3>
            <ul class={`diff-nodes is-${String(kind)}`}>
              {rows.slice(0, max).map(({ id, title: name, type }) => (
                <li key={id}>
                  <Text text={name} max={200} /> <span class="task-id">{id}</span>{" "}
                  {type !== "task" && <span class="tag">{type}</span>}
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      {nodes.slice(0, max).map((node) => (
        <ChangedNode key={node.id} node={node} title={spec.model.node(node.id)?.title ?? node.id} />
      ))}
      {Math.max(nodes.length, added.length, removed.length) > max && (
        <button type="button" onClick={() => setMax(max + 500)}>
          Show more
        </button>
      )}
      {fields.filter(({ field }) => !derived.has(field)).length > 0 && (
        <section>
          <h3>The spec itself</h3>
          <FieldList fields={fields.filter(({ field }) => !derived.has(field))} />
        </section>
      )}
    </>
  );
}

/** Fields that follow from any change. */
const derived: ReadonlySet<string> = new Set(["last_updated", "progress_percentage", "current_phase"]);
/** Fields of a task that record that an entry of the journal was written. */
const bookkeeping: ReadonlySet<string> = new Set(["metadata.needs_journaling", "metadata.journaled_at"]);

function ChangedNode({ node, title }: { readonly node: NodeChanges; readonly title: string }) {
  return (
    <section class="diff-node">
      <h3>
        <button type="button" class="link-button" onClick={() => setQuery({ task: node.id })}>
          <Text text={title} max={200} />
        </button>{" "}
        <span class="task-id">{node.id}</span>
      </h3>
      <FieldList fields={node.fields.filter(({ field }) => !bookkeeping.has(field))} />
    </section>
  );
}

function FieldList({ fields }: { readonly fields: NodeChanges["fields"] }) {
  return (
    <dl class="diff-fields">
      {fields.slice(0, 100).map(({ field, before, after }) => (
        <div key={field}>
          <dt>
            <Text text={field.replace(/^metadata\./, "")} max={80} />
          </dt>
          <dd class={before === undefined ? "" : "before"}>
            {before !== undefined && <ValueText value={before} />}
          </dd>
          <dd class={after === undefined ? "" : "after"}>
            {after === undefined ? <span class="quiet">removed</span> : <ValueText value={after} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}
