import { createPlainServer } from "./plain-server.ts";
import { serveSessions } from "./serve-sessions.ts";

serveSessions(createPlainServer);
