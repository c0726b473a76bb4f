import { createRegistry, type Registry } from "@foundry-mcp/toolkit";
import { checkErrors } from "../check/check-errors.ts";
import { contract } from "../tools/contract.ts";
import { version } from "./version.ts";

/** Creates what the command line offers. */
export function createCliRegistry(): Registry {
  return createRegistry({
    name: "foundry-mcp",
    version,
    title: "Foundry",
    tools: [contract],
    errors: checkErrors.catalogue,
  });
}
