/** A task of a sample spec: its title, its status and its metadata. */
export interface SampleTask {
  readonly title: string;
  readonly type?: "task" | "verify";
  readonly status?: "pending" | "in_progress" | "blocked" | "completed";
  readonly blockedBy?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A phase of a sample spec. Each phase waits for the one before it, unless it is free. */
export interface SamplePhase {
  readonly title: string;
  readonly isFree?: boolean;
  readonly tasks: readonly SampleTask[];
}

interface Node {
  readonly type: string;
  readonly title: string;
  status: string;
  readonly parent: string | null;
  readonly children: string[];
  total_tasks: number;
  completed_tasks: number;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly dependencies: {
    readonly blocks: string[];
    readonly blocked_by: string[];
    readonly depends: string[];
  };
}

/** Returns a valid spec with these phases. The ids of the tasks are `task-PHASE-NUMBER`, or `verify-PHASE-NUMBER`. */
export function sampleSpec(
  id: string,
  title: string,
  phases: readonly SamplePhase[],
  metadata: Readonly<Record<string, unknown>> = {},
): object {
  const hierarchy: Record<string, Node> = {};
  const add = (
    nodeId: string,
    type: string,
    name: string,
    parent: string | null,
    own: object,
    blockers: readonly string[],
  ) => {
    const node: Node = {
      type,
      title: name,
      status: "pending",
      parent,
      children: [],
      total_tasks: 0,
      completed_tasks: 0,
      metadata: own as Node["metadata"],
      dependencies: { blocks: [], blocked_by: [...blockers], depends: [] },
    };
    hierarchy[nodeId] = node;
    hierarchy[parent ?? ""]?.children.push(nodeId);
    for (const blocker of blockers) hierarchy[blocker]?.dependencies.blocks.push(nodeId);
    return node;
  };
  const root = add("spec-root", "spec", title, null, {}, []);
  for (const [index, phase] of phases.entries()) {
    const number = index + 1;
    const waits = index === 0 || phase.isFree === true ? [] : [`phase-${index}`];
    const parent = add(`phase-${number}`, "phase", phase.title, "spec-root", {}, waits);
    for (const [position, task] of phase.tasks.entries()) {
      const { type = "task", status = "pending", blockedBy = [] } = task;
      const node = add(
        `${type}-${number}-${position + 1}`,
        type,
        task.title,
        `phase-${number}`,
        task.metadata ?? {},
        blockedBy,
      );
      const done = status === "completed" ? 1 : 0;
      node.status = status;
      for (const each of [node, parent, root]) {
        each.total_tasks += 1;
        each.completed_tasks += done;
      }
    }
    parent.status = statusOf(parent, phase.tasks);
  }
  root.status = statusOf(
    root,
    phases.flatMap(({ tasks }) => tasks),
  );
  return {
    spec_id: id,
    title,
    generated: "2026-11-02T08:00:00.000Z",
    last_updated: "2026-11-16T08:00:00.000Z",
    metadata: { description: "", mission: "", objectives: [], assumptions: [], ...metadata },
    progress_percentage: Math.floor((100 * root.completed_tasks) / Math.max(1, root.total_tasks)),
    status: "active",
    current_phase: "phase-1",
    hierarchy,
    journal: [],
  };
}

function statusOf({ total_tasks: total, completed_tasks: done }: Node, tasks: readonly SampleTask[]): string {
  if (total > 0 && total === done) return "completed";
  return done > 0 || tasks.some(({ status }) => status === "in_progress") ? "in_progress" : "pending";
}

/** A spec as a team would have it in the middle of its work. */
export const tideTables = sampleSpec(
  "tide-tables-2026-11-02-001",
  "Tide tables for every harbour",
  [
    {
      title: "Find the data",
      tasks: [
        {
          title: "Survey the open tide data of the North Sea",
          status: "completed",
          metadata: {
            owner: "Grace",
            labels: ["data"],
            completed_at: "2026-11-09T10:00:00.000Z",
            estimated_hours: 4,
          },
        },
        {
          title: "Parse the list of stations",
          status: "completed",
          metadata: {
            owner: "Grace",
            labels: ["data", "parser"],
            priority: "high",
            completed_at: "2026-11-12T10:00:00.000Z",
          },
        },
        { title: "The list has all 214 stations", type: "verify", status: "completed" },
      ],
    },
    {
      title: "Compute the tides",
      tasks: [
        {
          title: "Sum the harmonic terms for one station",
          status: "completed",
          metadata: {
            owner: "Ada",
            labels: ["core"],
            priority: "high",
            completed_at: "2026-11-13T10:00:00.000Z",
          },
        },
        {
          title: "Correct for the equation of the equinoxes",
          status: "in_progress",
          blockedBy: ["task-2-1"],
          metadata: {
            owner: "Ada",
            labels: ["core"],
            estimated_hours: 5,
            description: "The nodal factors change over 18.6 years. Take those of the middle of the year.",
            acceptance_criteria: ["The error at Dover is below 4 cm", "A year of Dover is computed in 50 ms"],
          },
        },
        {
          title: "Compare with the tables of the Admiralty",
          blockedBy: ["task-2-2"],
          metadata: { labels: ["core", "check"], priority: "critical" },
        },
        {
          title: "Compute all harbours in parallel",
          status: "blocked",
          metadata: {
            owner: "Linus",
            labels: ["speed"],
            blocker_type: "resource",
            blocker_description: "The build machine has one core; a second one is ordered",
          },
        },
        { title: "Write down where the numbers come from", metadata: { labels: ["docs"], priority: "low" } },
        {
          title: "Heights agree within 5 cm for 30 days",
          type: "verify",
          metadata: { verification_type: "run-tests", command: "npm test -- tides", evidence: "required" },
        },
      ],
    },
    {
      title: "Show them",
      tasks: [
        {
          title: "Draw the curve of a day",
          metadata: { labels: ["ui"], priority: "high", estimated_hours: 5 },
        },
        {
          title: "Choose a harbour by name or on the map",
          blockedBy: ["task-3-1"],
          metadata: { owner: "Margaret", labels: ["ui", "a11y"] },
        },
        {
          title: "Keep the last seven days for use at sea",
          blockedBy: ["task-3-1"],
          metadata: { labels: ["offline"] },
        },
      ],
    },
    {
      title: "Publish",
      tasks: [{ title: "Write the page for skippers", metadata: { owner: "Margaret", labels: ["docs"] } }],
    },
  ],
  {
    mission: "Sailors read the height of the next tide at any harbour, also without a network",
    owner: "Grace",
    labels: ["harbour", "public"],
    priority: "high",
  },
);

/** A second spec, so that lists have more than one row. */
export const berthBooking = sampleSpec(
  "berth-booking-2026-11-10-001",
  "Berth booking",
  [
    {
      title: "Model",
      tasks: [
        { title: "List the berths with length and depth", status: "completed" },
        {
          title: "Refuse two boats in one berth",
          status: "in_progress",
          metadata: { owner: "Linus", priority: "critical" },
        },
      ],
    },
    { title: "Page", tasks: [{ title: "Show free berths for a date" }, { title: "Send the confirmation" }] },
  ],
  { mission: "A visiting boat books a berth before it arrives", owner: "Linus", labels: ["harbour"] },
);

/** Returns a spec with this number of tasks, in phases of a hundred. */
export function largeSpec(id: string, tasks: number): object {
  const phases = Array.from(
    { length: tasks / 100 },
    (_, phase): SamplePhase => ({
      title: `Phase ${phase + 1}`,
      isFree: true,
      tasks: Array.from(
        { length: 100 },
        (__, task): SampleTask => ({
          title: `Task ${task + 1} of phase ${phase + 1}`,
          ...(phase < 3 ? { status: "completed" } : {}),
          ...(task % 5 === 4 ? { blockedBy: [`task-${phase + 1}-${task}`] } : {}),
          metadata: {
            owner: ["Grace", "Ada", "Linus"][task % 3],
            labels: [["data", "ui"][task % 2]],
            priority: ["high", "low"][task % 2],
          },
        }),
      ),
    }),
  );
  return sampleSpec(id, "A plan of many tasks", phases);
}
