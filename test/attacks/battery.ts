import { created, innocentWord, type RepositoryIds, verified } from "./sample-repository.ts";
import type { Call } from "./surfaces.ts";

/** A part of the repository: the spec files, the settings, or a folder under `.foundry`. */
type Area =
  | "specs"
  | "settings"
  | "moves"
  | "trash"
  | "history"
  | "state"
  | "answers"
  | "locks"
  | "archive"
  | "research"
  | "verify"
  | "documents"
  | "plans";

interface AreaCall extends Call {
  /** The areas that the call reads or writes. */
  readonly touches: readonly Area[];
}

/** Returns calls that read and write every kind of file. */
function allCalls({ firstRevision, archiveId, completedRun, killedRun }: RepositoryIds): readonly AreaCall[] {
  const spec_id = "victim";
  const call = (
    touches: readonly Area[],
    [tool, action]: readonly [string, string],
    args: object,
    argv?: readonly string[],
  ): AreaCall => ({ touches, tool, args: { action, ...args }, ...(argv === undefined ? {} : { argv }) });
  const writes: readonly Area[] = ["specs", "history", "state", "locks"];
  const archive: readonly Area[] = ["archive"];
  const research: readonly Area[] = ["research"];
  const killed = { research_id: killedRun };
  const completed = { research_id: completedRun };
  return [
    call(["specs", "settings"], ["spec", "list"], {}, ["specs", "find"]),
    call(["specs", "state"], ["spec", "get"], { spec_id }, ["specs", "get", spec_id]),
    call(["specs"], ["spec", "search"], { query: innocentWord }, ["specs", "search", innocentWord]),
    call(["history"], ["spec", "history"], { spec_id }, ["specs", "history", spec_id]),
    call(["history"], ["spec", "diff"], { spec_id, from_revision: firstRevision }, [
      ...["specs", "diff", spec_id, "--from-revision", firstRevision],
    ]),
    call(["state", "specs"], ["task", "next"], { spec_id }, ["tasks", "next", spec_id]),
    call(["state", "locks"], ["task", "claim"], { spec_id, task_id: "task-1-4" }, [
      ...["tasks", "claim", spec_id, "task-1-4"],
    ]),
    call(writes, ["task", "start"], { spec_id, task_id: "task-1-2" }, [
      "tasks",
      "start",
      spec_id,
      "task-1-2",
    ]),
    call(["answers"], ["task", "complete"], { spec_id, task_id: "task-1-1", idempotency_key: "used" }, [
      ...["tasks", "complete", spec_id, "task-1-1", "--idempotency-key", "used"],
    ]),
    call(
      ["answers", "history"],
      ["task", "complete"],
      { spec_id, task_id: "task-1-2", idempotency_key: "new" },
      [...["tasks", "complete", spec_id, "task-1-2", "--idempotency-key", "new"]],
    ),
    call(["history", "moves"], ["journal", "add"], { spec_id, title: "$(id)", content: "`id`" }),
    call(["history"], ["spec", "rollback"], { spec_id, to_revision: firstRevision, confirm: true }, [
      ...["specs", "rollback", spec_id, firstRevision, "--confirm"],
    ]),
    call(["specs", "locks", "moves"], ["lifecycle", "move"], { spec_id, to_folder: "pending" }, [
      ...["lifecycle", "move", spec_id, "pending"],
    ]),
    call(["specs", "moves"], ["lifecycle", "move"], { spec_id: "third-victim", to_folder: "archived" }),
    call(["specs"], ["lifecycle", "move"], { spec_id: "fourth-victim", to_folder: "active" }),
    {
      ...call(["state"], ["task", "start"], { spec_id, task_id: "task-1-3" }, [
        ...["tasks", "start", spec_id, "task-1-3"],
      ]),
      isRefused: true,
    },
    call(["specs", "moves"], ["task", "start"], { spec_id: "second-victim", task_id: "task-1-1" }, [
      ...["tasks", "start", "second-victim", "task-1-1"],
    ]),
    call(["specs", "moves"], ["spec", "get"], { spec_id: "second-victim" }, [
      ...["specs", "get", "second-victim"],
    ]),
    call(["answers"], ["authoring", "spec-create"], created, [
      ...["specs", "create", created.name, "--idempotency-key", created.idempotency_key],
    ]),
    call(["answers"], ["authoring", "spec-create"], { name: "one more", idempotency_key: "one more" }, [
      ...["specs", "create", "one more", "--idempotency-key", "one more"],
    ]),
    call(["trash"], ["spec", "list"], { trash: true }, ["specs", "find", "--trash"]),
    call(["trash"], ["spec", "restore"], { spec_id: "fifth-victim" }, ["specs", "restore", "fifth-victim"]),
    call(["trash"], ["spec", "delete"], { spec_id: "fifth-victim", confirm: true }, [
      ...["specs", "delete", "fifth-victim", "--confirm"],
    ]),
    call(["specs", "locks", "trash"], ["authoring", "spec-create"], { name: "new one" }, [
      "specs",
      "create",
      "new one",
    ]),
    // This call comes before any other call that archives content. Such a call would restore the content that was
    // moved aside.
    call(archive, ["content", "get"], { archive_id: archiveId }, [
      "content",
      "get",
      "--archive-id",
      archiveId,
    ]),
    call(archive, ["spec", "get"], { spec_id: "active-bystander", max_tokens: 400 }, [
      ...["specs", "get", "active-bystander", "--max-tokens", "400"],
    ]),
    call(archive, ["spec", "get"], { spec_id: "victim", max_tokens: 400 }),
    call(archive, ["content", "list"], {}, ["content", "list"]),
    call(archive, ["content", "stat"], { archive_id: archiveId }),
    call(
      [...archive, "research", "documents"],
      ["research", "digest"],
      { paths: ["notes/one.md"], query: innocentWord },
      [...["research", "digest", "notes/one.md"]],
    ),
    call(research, ["research", "list"], {}, ["research", "list"]),
    call(research, ["research", "status"], killed, ["research", "status", killedRun]),
    call(research, ["research", "report"], completed, ["research", "report", completedRun]),
    call(["documents"], ["research", "start"], { question: innocentWord, paths: ["notes"] }),
    call(["documents"], ["research", "digest-batch"], {
      sources: [{ search: "folder" }],
      query: innocentWord,
    }),
    call(research, ["research", "start"], { question: innocentWord, paths: ["notes/one.md"] }, [
      ...["research", "start", innocentWord, "notes/one.md"],
    ]),
    call(research, ["research", "cancel"], killed),
    call(research, ["research", "resume"], killed, ["research", "resume", killedRun]),
    // The report of this run names the sources.
    call(research, ["research", "report"], killed, ["research", "report", killedRun]),
    call(research, ["research", "delete"], { ...killed, confirm: true }, [
      ...["research", "delete", killedRun, "--confirm"],
    ]),
    call(research, ["research", "delete"], { ...completed, confirm: true }),
    call(["verify", "archive"], ["verification", "add"], { ...verified, result: "PASSED", output: "more" }, [
      "verification",
      "add",
      verified.spec_id,
      verified.verify_id,
      "--result",
      "PASSED",
      "--output",
      "more",
    ]),
    call(["plans"], ["plan", "list"], {}, ["plan", "list"]),
    call(["plans"], ["plan", "create"], { name: "one more" }, ["plan", "create", "one more"]),
    call(["plans"], ["review", "prepare"], { spec_id }, ["review", "prepare", spec_id]),
    call(["plans"], ["review", "add"], { spec_id, verdict: "commented", summary: "Read" }),
    call(["settings"], ["server", "health"], {}, ["doctor"]),
    call(["settings"], ["server", "capabilities"], {}, ["init", "--no-sample"]),
    call(["settings"], ["server", "flags"], {}),
    call(["settings"], ["server", "context"], {}),
  ];
}

/**
 * Returns the calls that touch a path. For an unknown path, or a folder that contains everything, returns all calls.
 */
export function callsFor(path: string, ids: RepositoryIds): readonly Call[] {
  const area = areaOf(path);
  const calls = allCalls(ids);
  const touching = calls.filter(({ touches }) => touches.some((each) => each === area));
  return touching.length > 0 ? touching : calls;
}

/** The maximum number of commands per attack, because a command takes as long as twenty calls of a server. */
const maxCommands = 4;

/**
 * Returns a sample of the result of `callsFor`, from the first call to the last. The sample is for a surface that
 * runs a program for each call.
 */
export function commandsFor(path: string, ids: RepositoryIds): readonly Call[] {
  const commands = callsFor(path, ids).filter(({ argv }) => argv !== undefined);
  const step = Math.max(1, (commands.length - 1) / (maxCommands - 1));
  const indexes = Array.from({ length: Math.min(maxCommands, commands.length) }, (_, at) =>
    Math.round(at * step),
  );
  return indexes.flatMap((index) => commands[index] ?? []);
}

function areaOf(path: string): string {
  const [top = "", folder, area = ""] = path.split("/");
  if (top === "notes") return "documents";
  if (top !== "specs") return "settings";
  if (folder === ".plans") return "plans";
  return folder === ".foundry" ? area : folder === undefined ? "everything" : "specs";
}
