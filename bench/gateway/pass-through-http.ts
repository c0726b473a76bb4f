import { openPassThrough } from "./pass-through.ts";
import { serveSessions } from "./serve-sessions.ts";

serveSessions(await openPassThrough());
