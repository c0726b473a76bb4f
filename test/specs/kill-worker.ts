import { addJournalEntry } from "#built/foundry/specs/model/changes/add-journal-entry.js";
import { completeTask } from "#built/foundry/specs/model/changes/complete-task.js";
import { moveSpec } from "#built/foundry/specs/model/changes/move-spec.js";
import { reopenTask } from "#built/foundry/specs/model/changes/reopen-task.js";
import { openFileStore } from "#built/foundry/specs/stores/file-store/file-store.js";

// Changes three specs, one after the other and for ever, and says what was acknowledged: it is made to be
// killed. Every change leaves a text of its own in the journal of its spec.

const [root = "", name = ""] = process.argv.slice(2);
const store = openFileStore({ root });

for (let count = 0; ; count++) {
  const text = `${name} ${count}`;
  const spec = ["notes", "tasks", "moves"][count % 3] ?? "";
  if (spec === "notes") {
    await store.change(spec, addJournalEntry({ title: "A note", content: text }));
  } else if (spec === "tasks") {
    await store.change<object>(spec, (model, context) =>
      model.node("task-1-1")?.status === "completed"
        ? reopenTask({ task_id: "task-1-1", reason: text })(model, context)
        : completeTask({ task_id: "task-1-1", note: text })(model, context),
    );
  } else {
    const to = (await store.read(spec)).folder === "active" ? "pending" : "active";
    // Another may have moved it meanwhile: then nothing is to be done, and a note says so.
    await store.move<object>(spec, to, (model, context) =>
      context.folder === to
        ? addJournalEntry({ title: "A note", content: text })(model, context)
        : moveSpec({ from: context.folder, to, reason: text })(model, context),
    );
  }
  const at = performance.timeOrigin + performance.now();
  process.stdout.write(`${JSON.stringify({ spec, text, at })}\n`);
}
