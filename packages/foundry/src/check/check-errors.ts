import { defineErrors } from "@foundry-mcp/contract";

/** Error codes of `contract check` and `contract validate`. */
export const checkErrors = defineErrors({
  CONTRACT_BROKEN: {
    type: "validation",
    remediation: "Mend what data.findings tells, the MUSTs first; each has its remedy.",
  },
  CHECK_INCOMPLETE: {
    type: "validation",
    remediation: "Name calls and values in a file for what could not be called, and pass it with --calls.",
  },
});
