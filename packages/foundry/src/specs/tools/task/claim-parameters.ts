import { z } from "zod";
import { idempotencyKey } from "../change-parameters.ts";

const holder = z.string().min(1).max(200).optional().describe("Claiming agent (default: the client)");
export const leaseMinutes = z
  .number()
  .positive()
  .max(1_440)
  .optional()
  .describe("Default: 15. Minutes until the claim expires");

/** The parameters of every claim. */
export const claimOptions = { holder, lease_minutes: leaseMinutes, idempotency_key: idempotencyKey };
