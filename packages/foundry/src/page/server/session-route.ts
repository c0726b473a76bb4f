import type { Registry, Role } from "@foundry-mcp/toolkit";
import type { HttpRoute } from "@foundry-mcp/toolkit/http";

/** The facts about a server that the page shows. */
export interface SessionDeps {
  readonly registry: Registry;
  /** The lowest role that may change specs. */
  readonly writerRole: Role;
  /** Returns the location of the workspace, without secrets. */
  readonly workspace: () => Promise<object>;
  /** The gateway that is served beside the specs, whose state the tool `gateway` returns. */
  readonly gateway: Registry | undefined;
}

/** The tool that reports the state of a gateway; it is also a tool of the server itself. */
const statusTool = "gateway";

/** Creates the route `/page/session`: the server, the caller and the tools that the caller may call over `/api`. */
export function createSessionRoute({ registry, writerRole, workspace, gateway }: SessionDeps): HttpRoute {
  const { name, version, roles } = registry.options;
  return {
    name: "session",
    path: "/page/session",
    async handle(_request, { principal, needsToken, succeed }) {
      const role = principal?.role ?? registry.options.role;
      const response = succeed({
        server: { name, version },
        authenticated: principal !== undefined,
        token_required: needsToken,
        principal: principal?.id ?? "local",
        role,
        can_write: roles.indexOf(role) >= roles.indexOf(writerRole),
        workspace: await workspace(),
        tools: registry.listCallable("api", role),
        gateway: gateway !== undefined,
        gateway_tools: gateway?.listCallable("api", role).filter((tool) => tool !== statusTool) ?? [],
        events: true,
      });
      response.headers.set("cache-control", "no-store");
      return response;
    },
  };
}
