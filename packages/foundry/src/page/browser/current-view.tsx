import { useEffect, useRef } from "preact/hooks";
import { Empty } from "./parts/empty.tsx";
import { lazyView } from "./parts/lazy-view.tsx";
import { currentRoute } from "./routes/current-route.ts";
import { SearchView } from "./search/search-view.tsx";
import { SpecView } from "./spec/spec-view.tsx";
import { SpecsView } from "./specs/specs-view.tsx";
import { useStore } from "./state/store.ts";

const NowView = lazyView("Now", () => import("./now/now-view.tsx").then(({ NowView }) => NowView));
const GatewayView = lazyView("Gateway", () =>
  import("./gateway/gateway-view.tsx").then(({ GatewayView }) => GatewayView),
);
const ContractView = lazyView("Contract", () =>
  import("./contract/contract-view.tsx").then(({ ContractView }) => ContractView),
);

/** The view of the current route. A reader of the screen hears its title when the route changes. */
export function CurrentView() {
  const route = useStore(currentRoute);
  const place = route.name === "spec" ? `spec/${route.specId}/${route.tab}` : route.name;
  const shown = useRef(place);
  useEffect(() => {
    if (shown.current === place) return;
    shown.current = place;
    // A tab of the spec has the focus when it is chosen, and keeps it.
    if (!document.activeElement?.closest("[role=tablist]")) document.getElementById("main")?.focus();
    scrollTo(0, 0);
  }, [place]);
  switch (route.name) {
    case "specs":
      return <SpecsView query={route.query} />;
    case "spec":
      return <SpecView key={route.specId} specId={route.specId} tab={route.tab} query={route.query} />;
    case "search":
      return <SearchView text={route.query["q"] ?? ""} />;
    case "now":
      return <NowView />;
    case "gateway":
      return <GatewayView />;
    case "contract":
      return <ContractView />;
    default:
      return (
        <Empty icon="search" title="There is nothing at this address" isPage>
          <p>
            <a href="#/">Go to the specs</a>
          </p>
        </Empty>
      );
  }
}
