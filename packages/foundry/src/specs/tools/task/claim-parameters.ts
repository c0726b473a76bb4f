import { z } from "zod";

/** Who claims. */
export const holder = z.string().min(1).max(200).optional().describe("Who claims; without one the client");
/** How long a lease holds. */
export const leaseMinutes = z.number().positive().max(1_440).optional().describe("Default: 15");
/** Which lease is meant. */
export const claimToken = z.string().min(1);
/** How long to wait. */
export const waitSeconds = z.number().min(0).max(3_600).optional().describe("Default: 50");
