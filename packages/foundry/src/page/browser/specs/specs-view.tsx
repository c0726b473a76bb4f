import { useEffect, useState } from "preact/hooks";
import { openDialog } from "../acts/dialogs.ts";
import { callTool } from "../api/call-tool.ts";
import { Bar } from "../parts/bar.tsx";
import { Empty } from "../parts/empty.tsx";
import { ErrorBox } from "../parts/error-box.tsx";
import { Icon } from "../parts/icon.tsx";
import { Loading } from "../parts/loading.tsx";
import { Select } from "../parts/select.tsx";
import { Text } from "../parts/text.tsx";
import { Ago } from "../parts/time.tsx";
import { setQuery } from "../routes/current-route.ts";
import { type Query, specHash } from "../routes/route.ts";
import { canWrite, session } from "../state/session.ts";
import { readSpecList, readTrash, type SpecRow, specList, trashList } from "../state/spec-list.ts";
import { useStore } from "../state/store.ts";
import { showToast } from "../state/toasts.ts";

const folders = ["active", "pending", "completed", "archived"] as const;
const folderTexts: Readonly<Record<string, string>> = {
  active: "Active",
  pending: "Pending",
  completed: "Completed",
  archived: "Archived",
  trash: "Trash",
};
/** A browser takes its time for thousands of rows, and nobody reads them. */
const firstRows = 200;

/** All specs with their progress. */
export function SpecsView({ query }: { readonly query: Query }) {
  const list = useStore(specList);
  useStore(session);
  const { q = "", owner = "", label = "", priority = "", folder = "" } = query;
  const words = q
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const shown = list.specs.filter(
    (spec) =>
      (owner === "" || spec.owner === owner) &&
      (label === "" || spec.labels?.includes(label) === true) &&
      (priority === "" || spec.priority === priority) &&
      words.every((word) => `${spec.title} ${spec.id}`.toLowerCase().includes(word)),
  );
  const counts = countBy(shown.map(({ status }) => status));
  const isFiltered = words.length > 0 || owner !== "" || label !== "" || priority !== "";
  return (
    <div class="specs-view">
      <div class="view-header">
        <h1>Specs</h1>
        {canWrite() && (
          <button type="button" class="primary" onClick={() => openDialog.set({ kind: "new-spec" })}>
            <Icon name="plus" />
            New spec
          </button>
        )}
      </div>
      {list.specs.length > 0 && (
        <div class="filters" role="search" aria-label="Filter specs">
          <input
            type="search"
            data-filter
            placeholder="Filter by title or id"
            aria-label="Filter specs by title or id"
            value={q}
            onInput={({ currentTarget }) => setQuery({ q: currentTarget.value }, "replace")}
          />
          <Select
            name="Folder"
            value={folder}
            options={folders.map((each) => [each, folderTexts[each] ?? each, counts.get(each) ?? 0])}
            onChange={(value) => setQuery({ folder: value })}
          />
          <Select
            name="Owner"
            value={owner}
            options={valuesOf(list.specs, (spec) => [spec.owner ?? ""])}
            onChange={(value) => setQuery({ owner: value })}
          />
          <Select
            name="Label"
            value={label}
            options={valuesOf(list.specs, (spec) => spec.labels ?? [])}
            onChange={(value) => setQuery({ label: value })}
          />
          <Select
            name="Priority"
            value={priority}
            options={valuesOf(list.specs, (spec) => [spec.priority ?? ""])}
            onChange={(value) => setQuery({ priority: value })}
          />
          {(isFiltered || folder !== "") && (
            <button
              type="button"
              class="link-button"
              onClick={() => setQuery({ q: "", owner: "", label: "", priority: "", folder: "" })}
            >
              Clear filters
            </button>
          )}
        </div>
      )}
      {list.warnings.map((warning) => (
        <p key={warning} class="notice" role="status">
          <Text text={warning} max={400} />
        </p>
      ))}
      {list.error !== undefined && <ErrorBox error={list.error} onRetry={() => void readSpecList()} />}
      {list.state === "loading" && list.error === undefined && <Loading label="Reading the specs" rows={6} />}
      {list.state === "ready" && list.specs.length === 0 && <NoSpecs />}
      {isFiltered && shown.length === 0 && list.specs.length > 0 && (
        <Empty icon="search" title="No spec matches these filters" />
      )}
      {folders
        .filter((each) => (folder === "" || folder === each) && (counts.get(each) ?? 0) > 0)
        .map((each) => (
          <Folder key={each} folder={each} specs={shown.filter(({ status }) => status === each)} />
        ))}
      {list.state === "ready" && <Trash />}
    </div>
  );
}

function Folder({ folder, specs }: { readonly folder: string; readonly specs: readonly SpecRow[] }) {
  const [max, setMax] = useState(firstRows);
  const sorted = specs.toSorted((a, b) => (b.last_updated ?? "").localeCompare(a.last_updated ?? ""));
  return (
    <section class="spec-folder" aria-labelledby={`folder-${folder}`}>
      <h2 id={`folder-${folder}`}>
        {folderTexts[folder]} <span class="count">{specs.length}</span>
      </h2>
      <ul class="spec-rows">
        {sorted.slice(0, max).map((spec) => (
          <li key={spec.id} class="spec-row">
            <a href={specHash(spec.id)} class="spec-title">
              <Text text={spec.title} max={160} />
            </a>
            <span class="spec-id">
              <Text text={spec.id} max={120} />
            </span>
            <span class="tags">
              {spec.priority !== undefined && (
                <span class={`tag priority-${spec.priority}`}>{spec.priority}</span>
              )}
              {spec.owner !== undefined && (
                <span class="tag owner">
                  <Icon name="person" />
                  <Text text={spec.owner} max={40} />
                </span>
              )}
              {spec.labels?.slice(0, 6).map((each) => (
                <span key={each} class="tag">
                  <Text text={each} max={40} />
                </span>
              ))}
            </span>
            <span class="spec-progress">
              <Bar {...spec.progress} label={`Progress of ${spec.title.slice(0, 80)}`} />
              <span class="numbers">
                {spec.progress.completed} of {spec.progress.total}
              </span>
            </span>
            <span class="spec-age">{spec.last_updated !== undefined && <Ago at={spec.last_updated} />}</span>
          </li>
        ))}
      </ul>
      {specs.length > max && (
        <button type="button" onClick={() => setMax(max + 1_000)}>
          Show {Math.min(1_000, specs.length - max)} more of {specs.length}
        </button>
      )}
    </section>
  );
}

function NoSpecs() {
  return (
    <Empty icon="file" title="This workspace has no specs yet">
      <p>
        A spec is a plan: phases with tasks, and what waits for what. People and coding agents work through it
        together.
      </p>
      {canWrite() ? (
        <button type="button" class="primary" onClick={() => openDialog.set({ kind: "new-spec" })}>
          <Icon name="plus" />
          Create the first spec
        </button>
      ) : (
        <p>You may read here. Somebody who may write can create the first one.</p>
      )}
    </Empty>
  );
}

function Trash() {
  const trash = useStore(trashList);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isOpen) void readTrash();
  }, [isOpen]);
  const restore = async ({ id, title }: SpecRow) => {
    const answer = await callTool("spec", { action: "restore", spec_id: id });
    if (answer.ok) showToast({ kind: "done", text: `Restored ${title}` });
    else showToast({ kind: "failed", text: answer.error.message, more: answer.error.remedy });
    await Promise.all([readTrash(), readSpecList()]);
  };
  return (
    <details class="trash" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Trash</summary>
      {isOpen && trash === undefined && <Loading label="Reading the trash" rows={2} />}
      {trash?.length === 0 && <p class="quiet">The trash is empty.</p>}
      <ul class="spec-rows">
        {trash?.map((spec) => (
          <li key={spec.id} class="spec-row">
            <span class="spec-title">
              <Text text={spec.title} max={160} />
            </span>
            <span class="spec-id">
              <Text text={spec.id} />
            </span>
            <span class="spec-age">
              deleted {spec.deleted_at !== undefined && <Ago at={spec.deleted_at} />} by{" "}
              <Text text={spec.deleted_by ?? "?"} max={60} />
            </span>
            {canWrite() && (
              <button type="button" onClick={() => void restore(spec)}>
                Restore
              </button>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

function valuesOf(specs: readonly SpecRow[], toValues: (spec: SpecRow) => readonly string[]) {
  const counts = countBy(specs.flatMap(toValues).filter((value) => value !== ""));
  return [...counts].map(([value, count]) => [value, value, count] as const).toSorted((a, b) => b[2] - a[2]);
}

function countBy(values: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
