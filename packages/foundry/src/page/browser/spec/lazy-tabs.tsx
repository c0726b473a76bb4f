import type { ComponentType } from "preact";
import type { TabProps } from "../model/tab-props.ts";
import { lazyView } from "../parts/lazy-view.tsx";
import type { SpecTab } from "../routes/route.ts";

/** The tabs that are not the first that a person sees. */
export const lazyTabs: Readonly<Record<Exclude<SpecTab, "board">, ComponentType<TabProps>>> = {
  tree: lazyView("the tree", () => import("./tree-tab.tsx").then(({ TreeTab }) => TreeTab)),
  graph: lazyView("the graph", () => import("../graph/graph-tab.tsx").then(({ GraphTab }) => GraphTab)),
  history: lazyView("the history", () =>
    import("../history/history-tab.tsx").then(({ HistoryTab }) => HistoryTab),
  ),
  stats: lazyView("the statistics", () => import("./stats-tab.tsx").then(({ StatsTab }) => StatsTab)),
};
