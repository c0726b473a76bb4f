import { type ErrorCode, fromUnknown, type UnknownRecord } from "@foundry-mcp/contract";

/** The classification of a thrown value. */
export interface Fault {
  readonly errorCode: ErrorCode;
  readonly message: string;
  /** True if the call may have run although there was no answer. */
  readonly mayHaveRun?: boolean | undefined;
  readonly details?: UnknownRecord | undefined;
}

const closedEarly = "The connection closed before the server answered";
const notMcp = "The server answered something that is no MCP message";

/**
 * Known faults, by the code or class name that the SDK, Node or fetch uses; the messages of these faults contain no
 * text from the server.
 */
const faults: Readonly<Record<string, Fault>> = {
  REQUEST_TIMEOUT: { errorCode: "TIMEOUT", message: "The server did not answer in time", mayHaveRun: true },
  CONNECTION_CLOSED: { errorCode: "UNAVAILABLE", message: closedEarly, mayHaveRun: true },
  SEND_FAILED: { errorCode: "UNAVAILABLE", message: "The call could not be sent", mayHaveRun: true },
  NOT_CONNECTED: { errorCode: "UNAVAILABLE", message: "There is no connection to the server" },
  NOT_INITIALIZED: { errorCode: "UNAVAILABLE", message: "There is no connection to the server" },
  INVALID_RESULT: {
    errorCode: "UPSTREAM_ERROR",
    message: "The server answered something that is no tool result",
    mayHaveRun: true,
  },
  INPUT_REQUIRED_ROUNDS_EXCEEDED: {
    errorCode: "UPSTREAM_ERROR",
    message: "The server asked for input too many times",
    mayHaveRun: true,
  },
  LIST_PAGINATION_EXCEEDED: { errorCode: "UPSTREAM_ERROR", message: "The server's list of tools has no end" },
  CAPABILITY_NOT_SUPPORTED: { errorCode: "NOT_IMPLEMENTED", message: "The other side lacks a capability" },
  METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION: {
    errorCode: "NOT_IMPLEMENTED",
    message: "The protocol version of this connection has no such method",
  },
  CLIENT_HTTP_UNEXPECTED_CONTENT: { errorCode: "UPSTREAM_ERROR", message: notMcp, mayHaveRun: true },
  ERA_NEGOTIATION_FAILED: {
    errorCode: "UNAVAILABLE",
    message: "No protocol version could be agreed on with the server",
  },
  SyntaxError: { errorCode: "UPSTREAM_ERROR", message: notMcp, mayHaveRun: true },
  ZodError: { errorCode: "UPSTREAM_ERROR", message: notMcp, mayHaveRun: true },
  UnauthorizedError: { errorCode: "UNAUTHORIZED", message: "The server requires authorization" },
  InsufficientScopeError: { errorCode: "FORBIDDEN", message: "The server requires a wider scope" },
};

/** The reasons why a command could not be started, by error code. */
const spawnFaults: Readonly<Record<string, string>> = {
  ENOENT: "there is no such command or working directory",
  EACCES: "it is not executable",
  EPERM: "it is not executable",
  ENOEXEC: "it is no program",
  ENOTDIR: "its working directory is no directory",
};

/** Matches the codes of network errors that occur before anything was sent. */
const unsent = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/** TLS and HTTP errors that occur before the server could read a request. */
const handshakeErrors: readonly (readonly [RegExp, string])[] = [
  [
    /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_)/,
    "The certificate of the server is not trusted",
  ],
  [/^(ERR_SSL_|EPROTO$)/, "The server did not complete the TLS handshake"],
  [/^HPE_/, "The port answers, but not with HTTP"],
];

/** Returns the fault for a code or class name; undefined for an unknown name. */
export function findFault(name: string): Fault | undefined {
  if (Object.hasOwn(faults, name)) return faults[name];
  const [, handshakeError] = handshakeErrors.find(([names]) => names.test(name)) ?? [];
  if (handshakeError !== undefined)
    return { errorCode: "DEPENDENCY_UNAVAILABLE", message: handshakeError, details: { reason: name } };
  if (Object.hasOwn(spawnFaults, name)) {
    const message = `The server could not be started: ${spawnFaults[name]}`;
    return { errorCode: "DEPENDENCY_UNAVAILABLE", message, details: { reason: name } };
  }
  // The contract package classifies the codes of Node and fetch.
  const { error_code: errorCode } = fromUnknown({ code: name }).data;
  switch (errorCode) {
    case "DEPENDENCY_UNAVAILABLE":
      return unsent.test(name)
        ? { errorCode, message: "The server cannot be reached", details: { reason: name } }
        : { errorCode: "UNAVAILABLE", message: closedEarly, mayHaveRun: true, details: { reason: name } };
    case "TIMEOUT":
      return {
        errorCode,
        message: "The server did not answer in time",
        mayHaveRun: !unsent.test(name),
        details: { reason: name },
      };
    case "CANCELLED":
      return { errorCode, message: "The call was cancelled" };
    default:
      return undefined;
  }
}
