import type { ZooCalls } from "../zoo-entry.ts";

/** The only calls that the writing tools of the ledger accept. */
export const ledgerCalls: ZooCalls = {
  calls: [
    {
      tool: "book",
      arguments: { account: "cash", cents: 250 },
      expect: "success",
      data: { account: "cash" },
    },
    { tool: "book", arguments: { account: "attic", cents: 1 }, expect: "failure", error_code: "NOT_FOUND" },
    { tool: "close_year", arguments: { year: 2024 }, expect: "success", data: { year: 2024, closed: true } },
    { tool: "close_year", arguments: { year: 1999 }, expect: "failure", error_code: "INVALID_STATE" },
    {
      tool: "account",
      arguments: { action: "rename", account: "bank", title: "Savings" },
      expect: "success",
      data: { title: "Savings" },
    },
    { tool: "account", arguments: { action: "burn", account: "bank" }, expect: "failure" },
  ],
};
