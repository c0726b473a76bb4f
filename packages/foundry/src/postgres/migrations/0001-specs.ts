/** The tables of specs, their text chunks, leases, revisions and stored responses. */
export const specs = `
CREATE TABLE foundry.workspace (
  workspace integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Updated with every change: room on its page lets a new version of the row stay where the old one is.
CREATE TABLE foundry.spec (
  spec bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace integer NOT NULL REFERENCES foundry.workspace,
  id text COLLATE "C" NOT NULL,
  folder text NOT NULL CHECK (folder IN ('pending', 'active', 'completed', 'archived')),
  turn bigint NOT NULL,      -- counts whatever is written of the spec
  counter bigint NOT NULL,   -- counts its revisions
  hash text NOT NULL,        -- the second half of the revision
  bytes bigint NOT NULL,
  wide integer NOT NULL,     -- how many pieces hold more than ASCII
  fence bigint NOT NULL,     -- how many leases were given out
  marks text NOT NULL,       -- JSON: the highest numbers that were given to nodes
  summary text NOT NULL,     -- JSON: what a list tells
  UNIQUE (workspace, id)
) WITH (fillfactor = 50);

-- The text of a spec is its pieces, one behind the other: each member of the root (entry 0), and each entry of its
-- hierarchy and its journal, with what stands before it.
CREATE TABLE foundry.piece (
  spec bigint NOT NULL REFERENCES foundry.spec ON DELETE CASCADE,
  member double precision NOT NULL,
  entry double precision NOT NULL,
  key text COLLATE "C" NOT NULL,
  raw text NOT NULL,
  PRIMARY KEY (spec, member, entry)
) WITH (fillfactor = 80);
-- By spec and key as one value: of an index by both the planner may use the half, and read all pieces of a spec that it
-- takes for a small one.
CREATE INDEX piece_name ON foundry.piece ((spec::text || E'\\t' || key));
CREATE INDEX piece_member ON foundry.piece (spec, member) WHERE entry = 0;

-- What was written lately, so that a server that knows an older turn need not read everything again.
CREATE TABLE foundry.step (
  spec bigint NOT NULL REFERENCES foundry.spec ON DELETE CASCADE,
  turn bigint NOT NULL,
  nonce text NOT NULL,       -- whose it is: a statement whose answer got lost is known by it
  delta text,                -- JSON; null where all is to be read again
  PRIMARY KEY (spec, turn)
);

CREATE TABLE foundry.lease (
  spec bigint NOT NULL REFERENCES foundry.spec ON DELETE CASCADE,
  task text COLLATE "C" NOT NULL,
  lease text NOT NULL,
  PRIMARY KEY (spec, task)
);

-- Revisions, and the pieces as they were before each: from the present text they lead back.
CREATE TABLE foundry.revision (
  spec bigint NOT NULL REFERENCES foundry.spec ON DELETE CASCADE,
  counter bigint NOT NULL,
  revision text NOT NULL,
  entry text NOT NULL,
  undo text NOT NULL,
  PRIMARY KEY (spec, counter)
);

-- What calls with a key were answered; the scope is the spec's id, or +new for calls that add specs.
CREATE TABLE foundry.answer (
  workspace integer NOT NULL REFERENCES foundry.workspace,
  scope text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  answer text NOT NULL,
  PRIMARY KEY (workspace, scope, name)
);
`;
