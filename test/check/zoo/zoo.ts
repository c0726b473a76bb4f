import { goodCalls } from "./calls.ts";
import { serveHarbours } from "./correct/harbour-server.ts";
import { ledgerCalls } from "./correct/ledger-calls.ts";
import { serveLedger } from "./correct/ledger-server.ts";
import { createListServer } from "./correct/list-server.ts";
import { createUnitServer } from "./correct/unit-server.ts";
import { faults } from "./faults.ts";
import { createGoodServer } from "./good-server.ts";
import { serveRaw } from "./serve-raw.ts";
import type { ZooDialect } from "./to-definition.ts";
import type { ZooEntry } from "./zoo-entry.ts";

/** The servers that each have one fault. */
export const brokenServers: readonly ZooEntry[] = Object.entries(faults).map(([name, fault]) => {
  const { dialect = "response-v2", also = [], needsProcess = false, calls } = fault;
  return {
    name,
    dialect,
    also,
    needsProcess,
    calls,
    serve: (transport) => serveRaw(createGoodServer(fault.changes(), dialect), transport),
  };
});

const good = (name: string, dialect: ZooDialect): ZooEntry => ({
  name,
  dialect,
  also: [],
  needsProcess: false,
  calls: dialect === "response-v2" ? goodCalls : undefined,
  serve: (transport) => serveRaw(createGoodServer({}, dialect), transport),
});

/** The good server in each of its dialects. */
export const goodServers: readonly ZooEntry[] = [
  good("good", "response-v2"),
  good("good-envelope-v1", "envelope-v1"),
];

const correct = { also: [], needsProcess: false } as const;

/** Correct servers in different styles. */
export const correctServers: readonly ZooEntry[] = [
  {
    ...correct,
    name: "correct-units",
    dialect: "envelope-v1",
    serve: (transport) => serveRaw(createUnitServer(), transport),
  },
  { ...correct, name: "correct-harbours", dialect: "response-v2", serve: serveHarbours },
  {
    ...correct,
    name: "correct-lists",
    dialect: "response-v2",
    serve: (transport) => serveRaw(createListServer(), transport),
  },
  { ...correct, name: "correct-ledger", dialect: "response-v2", serve: serveLedger, calls: ledgerCalls },
];

/** Every server of the zoo. */
export const zoo: readonly ZooEntry[] = [...goodServers, ...correctServers, ...brokenServers];
