import { Icon, type IconName } from "../parts/icon.tsx";
import { go } from "../routes/current-route.ts";
import { type Query, type SpecTab, specHash, specTabs } from "../routes/route.ts";

const texts: Readonly<Record<SpecTab, readonly [text: string, icon: IconName]>> = {
  board: ["Board", "board"],
  tree: ["Tree", "tree"],
  graph: ["Graph", "graph"],
  history: ["History", "history"],
  stats: ["Statistics", "stats"],
};

/** The tabs of a spec. The arrow keys go from tab to tab. */
export function SpecTabs({
  specId,
  tab,
  query,
}: {
  readonly specId: string;
  readonly tab: SpecTab;
  readonly query: Query;
}) {
  const { from: _, to: __, ...kept } = query;
  const choose = (index: number) => {
    const next = specTabs[(index + specTabs.length) % specTabs.length] ?? "board";
    go(specHash(specId, next, kept));
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="Views of the spec">
      {specTabs.map((each, index) => (
        <button
          key={each}
          id={`tab-${each}`}
          type="button"
          role="tab"
          aria-selected={each === tab}
          aria-controls="spec-panel"
          tabIndex={each === tab ? 0 : -1}
          onClick={() => choose(index)}
          onKeyDown={(event) => {
            if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
            event.preventDefault();
            choose(index + (event.key === "ArrowRight" ? 1 : -1));
          }}
        >
          <Icon name={texts[each][1]} />
          <span>{texts[each][0]}</span>
        </button>
      ))}
    </div>
  );
}
