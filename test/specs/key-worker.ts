import { addJournalEntry } from "#built/foundry/specs/model/changes/add-journal-entry.js";
import { moveSpec } from "#built/foundry/specs/model/changes/move-spec.js";
import { claimNext } from "#built/foundry/specs/model/claims/claim-task.js";
import { openFileStore } from "#built/foundry/specs/stores/file-store/file-store.js";

// This program makes calls with idempotency keys, starting at a number, until it is killed. It reports the calls that
// were answered.

const [root = "", from = "0"] = process.argv.slice(2);
const store = openFileStore({ root });

for (let number = Number(from); ; number++) {
  const key = { key: String(number), fingerprint: String(number) };
  if (number % 3 === 0) {
    await store.change("notes", addJournalEntry({ title: "A note", content: String(number) }), { key });
  } else if (number % 3 === 1) {
    await store.change("held", claimNext({ lease_minutes: 1_000 }), { key });
  } else {
    // This call moves the spec back and forth. If a move ran twice or not at all, the spec would be in the wrong
    // folder.
    const to = number % 2 === 0 ? "pending" : "active";
    await store.move<object>(
      "moves",
      to,
      (spec, context) => moveSpec({ from: context.folder, to, reason: String(number) })(spec, context),
      { key },
    );
  }
  process.stdout.write(`${JSON.stringify({ number })}\n`);
}
