import { defineResource, type Resource } from "@foundry-mcp/toolkit";
import { toSpecRow, toSpecStatus } from "./spec-views.ts";
import type { Workspace } from "./workspace.ts";

const json = "application/json";
const allSpecs = "foundry://specs";

/** Returns the URIs of the resources that a change of a spec affects. */
export function resourceUrisOf(id: string): readonly string[] {
  return [allSpecs, `${allSpecs}/${id}`, `${allSpecs}/${id}/journal`];
}

/** Creates the resources of specs. Some clients read resources in addition to calling tools. */
export function specResources(workspace: Workspace): readonly Resource[] {
  const list = async () => (await (await workspace.store()).list()).specs;
  const complete = {
    id: async (typed: string) => (await list()).map(({ id }) => id).filter((id) => id.startsWith(typed)),
  };
  return [
    defineResource({
      uri: allSpecs,
      name: "specs",
      description: "All specs, with their status and progress",
      mimeType: json,
      read: async () => JSON.stringify({ specs: (await list()).map(toSpecRow) }),
    }),
    defineResource({
      uriTemplate: `${allSpecs}/{id}`,
      name: "spec",
      description: "One spec, as stored in its file",
      mimeType: json,
      complete,
      list: async () =>
        (await list()).map(({ id, title }) => ({
          uri: `${allSpecs}/${id}`,
          name: id,
          title,
          mimeType: json,
        })),
      read: async ({ id }) => Buffer.from(await (await workspace.store()).readText(String(id))).toString(),
    }),
    defineResource({
      uriTemplate: `${allSpecs}/{id}/journal`,
      name: "journal",
      description: "Journal of a spec",
      mimeType: json,
      complete,
      read: async ({ id }) => {
        const snapshot = await (await workspace.store()).read(String(id));
        return JSON.stringify({ ...toSpecStatus(snapshot), journal: snapshot.model.journal });
      },
    }),
  ];
}
