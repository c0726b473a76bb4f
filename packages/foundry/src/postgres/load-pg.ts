import { ContractError } from "@foundry-mcp/contract";
import type pg from "pg";

/** Loads the driver, which is installed only where specs are kept in PostgreSQL. */
export async function loadPg(load: () => Promise<unknown> = () => import("pg")): Promise<typeof pg> {
  try {
    const module = (await load()) as { default: typeof pg };
    return module.default;
  } catch (cause) {
    if (!/ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND/.test(String((cause as NodeJS.ErrnoException | null)?.code)))
      throw cause;
    throw new ContractError('Cannot keep specs in PostgreSQL: the package "pg" is not installed', {
      errorCode: "DEPENDENCY_UNAVAILABLE",
      remediation:
        "Install it beside foundry-mcp: npm install pg; with npx: npx -p foundry-mcp -p pg foundry-mcp.",
      details: { dependency: "pg" },
      cause,
    });
  }
}
