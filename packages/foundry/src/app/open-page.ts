import { fileURLToPath } from "node:url";
import type { Registry } from "@foundry-mcp/toolkit";
import type { HttpRoutes } from "@foundry-mcp/toolkit/http";
import { createPage } from "../page/server/create-page.ts";
import type { OpenWorkspace } from "./open-workspace.ts";
import { writerRole } from "./roles.ts";
import { toChangeSource } from "./spec-changes-source.ts";

/**
 * The folder of the built files. The compiled module and the bundle are in folders of the same depth, so the relative
 * path is the same for both.
 */
const siteFolder = fileURLToPath(new URL("../page/site/", import.meta.url));

/** Creates the routes of the page of a workspace. */
export function openPage(registry: Registry, workspace: OpenWorkspace, gateway?: Registry): HttpRoutes {
  return createPage({
    registry,
    folder: siteFolder,
    writerRole,
    workspace: () => workspace.location(),
    gateway,
    openSource: async () => toChangeSource(await workspace.store()),
  });
}
