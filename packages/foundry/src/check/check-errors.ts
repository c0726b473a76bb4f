import { defineErrors } from "@foundry-mcp/contract";

/** Error codes of `contract check` and `contract validate`. */
export const checkErrors = defineErrors({
  CONTRACT_BROKEN: {
    type: "validation",
    remediation: "Fix the findings, the MUSTs first: each has its remedy.",
  },
  CHECK_INCOMPLETE: {
    type: "validation",
    remediation:
      "Write the calls that are missing to a file with --write-calls calls.toml, edit it, and pass it with --calls calls.toml.",
  },
});
