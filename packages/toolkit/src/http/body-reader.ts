import { type ContractError, unavailable } from "@foundry-mcp/contract";
import { localPrincipal, type Principal } from "../context/principal.ts";
import { createShares, type Holding } from "../limits/shares.ts";
import { type Body, readBody } from "./read-body.ts";

/** The bytes of all bodies that are being read, as their headers announce them. */
const maxUploadBytes = 256 * 1024 * 1024;
/** Shorter bodies are not counted: they arrive at once. */
const minCountedBytes = 64 * 1024;

/** Reads the bodies of requests. */
export interface BodyReader {
  /** The longest body. */
  readonly maxBytes: number;
  /** Reads a body; throws where the upload of a caller with many of them gave way to others. */
  read(request: Request, principal: Principal | undefined): Promise<Body>;
}

/** Creates the reader of a server; `maxTotalBytes` of uploads are shared between its callers. */
export function createBodyReader(maxBytes: number, maxTotalBytes = maxUploadBytes): BodyReader {
  const uploads = createShares<Holding>({ limit: maxTotalBytes });
  return {
    maxBytes,
    async read(request, principal) {
      const size = announcedBytes(request, maxBytes);
      if (size < minCountedBytes) return readBody(request, maxBytes);
      let giveWay: () => void = () => {};
      const displaced = new Promise<never>((_resolve, reject) => {
        giveWay = () => reject(tooManyUploads());
      });
      const upload = { owner: principal?.id ?? localPrincipal, size, giveWay };
      uploads.add(upload);
      try {
        return await Promise.race([readBody(request, maxBytes), displaced]);
      } finally {
        uploads.delete(upload);
      }
    },
  };
}

/** A body without a declared length may become as long as the limit; one that declares more is refused unread. */
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
