import { addJournalEntry } from "#built/foundry/specs/model/changes/add-journal-entry.js";
import { completeTask } from "#built/foundry/specs/model/changes/complete-task.js";
import { moveSpec } from "#built/foundry/specs/model/changes/move-spec.js";
import { reopenTask } from "#built/foundry/specs/model/changes/reopen-task.js";
import { openFileStore } from "#built/foundry/specs/stores/file-store/file-store.js";

// This program changes three specs one after another until it is killed, and reports the acknowledged changes. Every
// change adds a unique text to the journal of its spec.

const [root = "", name = ""] = process.argv.slice(2);
const store = openFileStore({ root });

for (let count = 0; ; count++) {
  const text = `${name} ${count}`;
  const report = (text: string) => {
    const at = performance.timeOrigin + performance.now();
    process.stdout.write(`${JSON.stringify({ spec, text, at })}\n`);
  };
  const spec = ["notes", "tasks", "moves"][count % 3] ?? "";
  if (spec === "notes") {
    // These changes are written together. Each is reported when it is acknowledged.
    const add = async (content: string) => {
      await store.change(spec, addJournalEntry({ title: "A note", content }));
      report(content);
    };
    await Promise.all(["a", "b", "c", "d", "e"].map((part) => add(`${text} ${part}`)));
    continue;
  } else if (spec === "tasks") {
    await store.change<object>(spec, (model, context) =>
      model.node("task-1-1")?.status === "completed"
        ? reopenTask({ task_id: "task-1-1", reason: text })(model, context)
        : completeTask({ task_id: "task-1-1", note: text })(model, context),
    );
  } else {
    const to = (await store.read(spec)).folder === "active" ? "pending" : "active";
    // Another process may have moved the spec in the meantime. In this case, there is nothing to do, and a note
    // reports this.
    await store.move<object>(spec, to, (model, context) =>
      context.folder === to
        ? addJournalEntry({ title: "A note", content: text })(model, context)
        : moveSpec({ from: context.folder, to, reason: text })(model, context),
    );
  }
  report(text);
}
