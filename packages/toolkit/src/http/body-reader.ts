import { type ContractError, unavailable } from "@foundry-mcp/contract";
import { localPrincipal, type Principal } from "../context/principal.ts";
import { createShares, type Holding } from "../limits/shares.ts";
import { type Body, readBody } from "./read-body.ts";

/** The maximum total size of all request bodies that are being read, as declared in their headers. */
const maxUploadBytes = 256 * 1024 * 1024;
/**
 * The minimum size of a body that counts towards the limit on uploads. Shorter bodies are not counted, because they
 * arrive almost at once.
 */
const minCountedBytes = 64 * 1024;
/**
 * The maximum time in milliseconds for receiving a body. Without this limit, a client that sends a body byte
 * by byte could occupy its connection for minutes.
 */
const maxBodyMs = 60_000;

/** Reads the bodies of requests. */
export interface BodyReader {
  /** The maximum size of a body in bytes. */
  readonly maxBytes: number;
  /**
   * Reads a body. Throws if the body does not arrive in time, or if the upload was ended to make room for the
   * uploads of other callers.
   */
  read(request: Request, principal: Principal | undefined): Promise<Body>;
}

/** Creates the body reader of a server; the callers share `maxTotalBytes` for their uploads. */
export function createBodyReader(maxBytes: number, maxTotalBytes = maxUploadBytes): BodyReader {
  const uploads = createShares<Holding>({ limit: maxTotalBytes });
  return {
    maxBytes,
    async read(request, principal) {
      const size = announcedBytes(request, maxBytes);
      let refuse: (reason: ContractError) => void = () => {};
      const refused = new Promise<never>((_resolve, reject) => {
        refuse = reject;
      });
      const owner = principal?.id ?? localPrincipal;
      const upload = { owner, size, giveWay: () => refuse(tooManyUploads()) };
      if (size >= minCountedBytes) uploads.add(upload);
      const timer = setTimeout(() => refuse(tooSlow()), maxBodyMs).unref();
      try {
        return await Promise.race([readBody(request, maxBytes), refused]);
      } finally {
        clearTimeout(timer);
        uploads.delete(upload);
      }
    },
  };
}

/**
 * Returns the number of bytes to count for a body. A body without a declared length counts as `maxBytes`. A
 * body that declares a length above `maxBytes` counts as 0, because it is refused without being read.
 */
function announcedBytes({ headers }: Request, maxBytes: number): number {
  const declared = headers.get("content-length");
  if (declared === null || !/^\d+$/.test(declared)) return maxBytes;
  return Number(declared) > maxBytes ? 0 : Number(declared);
}

function tooManyUploads(): ContractError {
  return unavailable("Cannot read the body: this caller uploads too much at once", {
    errorCode: "RESOURCE_BUSY",
    retryAfterSeconds: 1,
  });
}

function tooSlow(): ContractError {
  return unavailable(`Cannot read the body: it did not arrive within ${maxBodyMs / 1_000} seconds`, {
    errorCode: "TIMEOUT",
    remediation: "Send the whole body at once.",
    details: { deadline_ms: maxBodyMs },
  });
}
