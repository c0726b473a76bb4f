import { ContractError, type ErrorCode } from "@foundry-mcp/contract";

type Explanation = readonly [code: ErrorCode, why: string, remediation: string];

const explanations: Readonly<Record<string, Explanation>> = {
  ENOENT: [
    "NOT_FOUND",
    "there is no such program on the PATH of the server",
    "Install it where the server runs, or name another program.",
  ],
  EACCES: [
    "FORBIDDEN",
    "it is not executable",
    "Make it executable for the user that runs the server, or name another program.",
  ],
  ERR_INVALID_ARG_VALUE: [
    "INVALID_FORMAT",
    "it contains a NUL character, which arguments of programs cannot contain",
    "Leave the NUL character out.",
  ],
  E2BIG: ["CONTENT_TOO_LARGE", "its arguments are too long", "Put the arguments into a file or a script."],
};
const outOfProcesses: Explanation = [
  "RESOURCE_EXHAUSTED",
  "the machine cannot start another process",
  "Try again in a moment.",
];
const otherwise: Explanation = [
  "UNAVAILABLE",
  "the system refuses it",
  "Try the command in a shell where the server runs, then call again.",
];

/** Returns the error for a program that could not be started. */
export function startFailure(program: string, error: unknown): ContractError {
  const { code: reason = "" } = error as NodeJS.ErrnoException;
  const isShort = ["EAGAIN", "EMFILE", "ENFILE", "ENOMEM"].includes(reason);
  const [errorCode, why, remediation] = isShort ? outOfProcesses : (explanations[reason] ?? otherwise);
  const name = program.length > 200 ? `${program.slice(0, 200)}…` : program;
  return new ContractError(`Cannot run ${JSON.stringify(name)}: ${why}`, {
    errorCode,
    remediation,
    details: { program: name, reason },
    cause: error,
  });
}
