import { type ContractError, featureDisabled, forbidden } from "@foundry-mcp/contract";

/**
 * Refuses a program that the settings do not name. The name is taken as it is written: a path is another name than
 * its last part, so that no file of the workspace passes for a program of the system.
 */
export function requireProgram(program: string, allowed: readonly string[]): void {
  if (allowed.includes(program) || allowed.includes("*")) return;
  throw allowed.length === 0 ? isOff(program) : notNamed(program, allowed);
}

function isOff(program: string): ContractError {
  return featureDisabled("verification execute", {
    remediation: `Let verifications run it with ${toSetting([program])} in your own foundry.toml (not in that of the workspace), or run it yourself and tell what came of it with verification(action="add").`,
    details: { program: toShort(program), setting: "verify_programs" },
  });
}

function notNamed(program: string, allowed: readonly string[]): ContractError {
  return forbidden(
    `Cannot run ${JSON.stringify(toShort(program))}: verifications may run ${allowed.slice(0, 10).join(", ")}`,
    {
      remediation: `Let verifications run it as well with ${toSetting([...allowed, program])} in your own foundry.toml (not in that of the workspace), or run it yourself and tell what came of it with verification(action="add").`,
      details: { program: toShort(program), setting: "verify_programs" },
    },
  );
}

function toSetting(programs: readonly string[]): string {
  return `verify_programs = ${JSON.stringify(programs.map(toShort)).replaceAll(",", ", ")}`;
}

function toShort(program: string): string {
  return program.length > 200 ? `${program.slice(0, 200)}…` : program;
}
