import { useEffect } from "preact/hooks";
import { Empty } from "../parts/empty.tsx";
import { ErrorBox } from "../parts/error-box.tsx";
import { Loading } from "../parts/loading.tsx";
import { visibleText } from "../parts/visible-text.ts";
import { setQuery } from "../routes/current-route.ts";
import type { Query, SpecTab } from "../routes/route.ts";
import { refreshSpec, specStore } from "../state/spec-cache.ts";
import { useStore } from "../state/store.ts";
import { TaskPanel } from "../task/task-panel.tsx";
import { BoardTab } from "./board-tab.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { lazyTabs } from "./lazy-tabs.tsx";
import { SpecHeader } from "./spec-header.tsx";
import { SpecTabs } from "./spec-tabs.tsx";

/** One spec: its header, one of its tabs, and the open task beside it. */
export function SpecView({
  specId,
  tab,
  query,
}: {
  readonly specId: string;
  readonly tab: SpecTab;
  readonly query: Query;
}) {
  const { spec, error, isDeleted } = useStore(specStore(specId));
  const title = spec?.model.title ?? specId;
  useEffect(() => {
    document.title = `${visibleText(title).slice(0, 80)} · Foundry`;
    return () => {
      document.title = "Foundry";
    };
  }, [title]);
  if (spec === undefined) {
    if (error === undefined) return <Loading label="Reading the spec" rows={8} />;
    if (error.code !== "SPEC_NOT_FOUND")
      return <ErrorBox error={error} onRetry={() => void refreshSpec(specId)} />;
    return (
      <Empty icon="file" title="This workspace has no such spec" isPage>
        <p>
          {visibleText(specId).slice(0, 200)} may have been deleted or renamed, or it is on another branch.
        </p>
        <p>
          <a href="#/">Go to the specs</a>
        </p>
      </Empty>
    );
  }
  const taskId = query["task"];
  const Tab = tab === "board" ? BoardTab : lazyTabs[tab];
  const hasFilters = tab === "board" || tab === "tree";
  return (
    <div class={taskId === undefined ? "spec-view" : "spec-view has-task"}>
      <SpecHeader spec={spec} />
      {isDeleted === true && (
        <div class="banner" role="alert">
          <p>
            <strong>This spec was deleted.</strong> You still see it as it was.{" "}
            <a href="#/">Its trash is below the list of specs.</a>
          </p>
        </div>
      )}
      {error !== undefined && isDeleted !== true && (
        <ErrorBox error={error} onRetry={() => void refreshSpec(specId)} />
      )}
      <SpecTabs specId={specId} tab={tab} query={query} />
      {hasFilters && <FilterBar spec={spec} query={query} />}
      <div class="spec-body">
        <div class="spec-content" role="tabpanel" id="spec-panel" aria-labelledby={`tab-${tab}`}>
          <Tab spec={spec} query={query} />
        </div>
        {taskId !== undefined && (
          <TaskPanel key={taskId} spec={spec} taskId={taskId} onClose={() => setQuery({ task: "" })} />
        )}
      </div>
    </div>
  );
}
