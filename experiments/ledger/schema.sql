-- The data of a run. Each text (problem, prompt, message) is stored once, compressed, under its hash.
-- Rows of all other tables also have the column `seal`, a hash of their values: see integrity.py.
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS text (hash TEXT PRIMARY KEY, content BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS problem (id TEXT PRIMARY KEY, text TEXT NOT NULL REFERENCES text);

-- The planned attempts, in order. Attempts of an earlier plan of the same run have no position.
CREATE TABLE IF NOT EXISTS attempt (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, arm TEXT NOT NULL, problem TEXT NOT NULL,
    repeat INTEGER NOT NULL, position INTEGER
) WITHOUT ROWID;

-- Every paid reply, by the hash of its exact request.
CREATE TABLE IF NOT EXISTS reply (
    request TEXT PRIMARY KEY, message TEXT NOT NULL REFERENCES text, seconds REAL NOT NULL, retries TEXT NOT NULL
) WITHOUT ROWID;

-- One row for each billed request; `arm` is NULL for requests of scorers. A row without tokens is a request
-- that may have been billed: `promised` is its highest possible cost in dollars.
CREATE TABLE IF NOT EXISTS payment (
    model TEXT NOT NULL, arm TEXT, input INTEGER, output INTEGER, cached INTEGER, written INTEGER,
    reasoning INTEGER, promised REAL, batched INTEGER NOT NULL DEFAULT 0
);

-- Batches that were sent: Ansatz's name (`token`), the provider's name (`id`), and the requests as JSON.
CREATE TABLE IF NOT EXISTS batch (
    token TEXT PRIMARY KEY, model TEXT NOT NULL, id TEXT, requests TEXT NOT NULL, at REAL NOT NULL
);

-- The outcome of an attempt. `scores` is JSON by dimension; `details` has the evidence and details of each
-- score. Its usage and stop reason are columns, so a report opens no transcript.
CREATE TABLE IF NOT EXISTS outcome (
    attempt TEXT PRIMARY KEY REFERENCES attempt, state TEXT NOT NULL, transcript TEXT REFERENCES text,
    scores TEXT NOT NULL, details TEXT REFERENCES text, error TEXT, tries INTEGER NOT NULL, at REAL NOT NULL,
    stop TEXT, seconds REAL, model_calls INTEGER, tool_calls INTEGER,
    input_tokens INTEGER, output_tokens INTEGER, cached_tokens INTEGER, reasoning_tokens INTEGER,
    written_tokens INTEGER
) WITHOUT ROWID;
