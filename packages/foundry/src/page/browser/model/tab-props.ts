import type { Query } from "../routes/route.ts";
import type { LoadedSpec } from "../state/spec-cache.ts";

/** What every tab shows. */
export interface TabProps {
  readonly spec: LoadedSpec;
  readonly query: Query;
}
