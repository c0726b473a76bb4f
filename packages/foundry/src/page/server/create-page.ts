import type { HttpRoutes } from "@foundry-mcp/toolkit/http";
import { ChangeFeed } from "./change-feed.ts";
import type { ChangeSource } from "./change-source.ts";
import { createEventsRoute, type EventLimits } from "./events-route.ts";
import { createSessionRoute, type SessionDeps } from "./session-route.ts";
import { createSiteRoutes } from "./site-routes.ts";

/** The options of the page. */
export interface PageOptions extends SessionDeps {
  /** The folder of the built files. */
  readonly folder: string;
  /** Opens the source of changes when the first client asks for them. */
  readonly openSource: () => Promise<ChangeSource>;
  readonly limits?: EventLimits | undefined;
}

/** Creates the routes of the page: its files, the session and the events. Everything else is a call of a tool. */
export function createPage({ folder, openSource, limits, ...session }: PageOptions): HttpRoutes {
  const feed = new ChangeFeed({ open: openSource });
  const events = createEventsRoute(feed, limits);
  return {
    routes: [...createSiteRoutes(folder), createSessionRoute(session), events.route],
    async close() {
      events.close();
      await feed.close();
    },
  };
}
