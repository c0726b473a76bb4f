import type { ContentArchive } from "@foundry-mcp/toolkit/archive";

/** Creates an archive that is looked for when something is first to be kept or read. */
export function createLazyArchive(find: () => Promise<ContentArchive>): ContentArchive {
  return {
    put: async (content) => (await find()).put(content),
    find: async (principal, key) => (await find()).find(principal, key),
    read: async (entry) => (await find()).read(entry),
    list: async (principal) => (await find()).list(principal),
    // Whoever opened it closes it.
    close: async () => {},
  };
}
