-- Everything of a run. Texts that recur (problems, prompts, messages) are stored once, compressed, by hash.
-- Each row but those of `text` also has the column `seal`, a hash of its values: see integrity.py.
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS text (hash TEXT PRIMARY KEY, content BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS problem (id TEXT PRIMARY KEY, text TEXT NOT NULL REFERENCES text);

-- What is to be done, in order; attempts of an earlier plan of the same run have no position.
CREATE TABLE IF NOT EXISTS attempt (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, arm TEXT NOT NULL, problem TEXT NOT NULL,
    repeat INTEGER NOT NULL, position INTEGER
) WITHOUT ROWID;

-- Every reply that was paid for, by the hash of its exact request.
CREATE TABLE IF NOT EXISTS reply (
    request TEXT PRIMARY KEY, message TEXT NOT NULL REFERENCES text, seconds REAL NOT NULL, retries TEXT NOT NULL
) WITHOUT ROWID;

-- What was billed, one row for each request; `arm` is NULL where a scorer asked. A row without tokens is of a
-- request that may have been billed: `promised` dollars are the most that it can cost.
CREATE TABLE IF NOT EXISTS payment (
    model TEXT NOT NULL, arm TEXT, input INTEGER, output INTEGER, cached INTEGER, written INTEGER,
    reasoning INTEGER, promised REAL, batched INTEGER NOT NULL DEFAULT 0
);

-- What was sent by a provider's batch interface: our name for it, the provider's, and its requests as JSON.
CREATE TABLE IF NOT EXISTS batch (
    token TEXT PRIMARY KEY, model TEXT NOT NULL, id TEXT, requests TEXT NOT NULL, at REAL NOT NULL
);

-- One attempt: `scores` is JSON by dimension, `details` the evidence and details of each score by dimension.
-- What the attempt took and how it ended stand beside them, so that a report opens no transcript.
CREATE TABLE IF NOT EXISTS outcome (
    attempt TEXT PRIMARY KEY REFERENCES attempt, state TEXT NOT NULL, transcript TEXT REFERENCES text,
    scores TEXT NOT NULL, details TEXT REFERENCES text, error TEXT, tries INTEGER NOT NULL, at REAL NOT NULL,
    stop TEXT, seconds REAL, model_calls INTEGER, tool_calls INTEGER,
    input_tokens INTEGER, output_tokens INTEGER, cached_tokens INTEGER, reasoning_tokens INTEGER,
    written_tokens INTEGER
) WITHOUT ROWID;
