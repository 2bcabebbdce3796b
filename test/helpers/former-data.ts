/** Makes the data of version 6 those of version 5, which had transports and refunds in tables of their own. */
export const PARTS_APART = `
  CREATE TABLE transports (
    no INTEGER PRIMARY KEY, status INTEGER NOT NULL, service INTEGER NOT NULL, created INTEGER NOT NULL,
    updated INTEGER NOT NULL, doc TEXT NOT NULL
  ) STRICT;
  CREATE TABLE refunds (
    no INTEGER PRIMARY KEY, status INTEGER NOT NULL, type INTEGER NOT NULL, mode INTEGER NOT NULL,
    created INTEGER NOT NULL, executed INTEGER, fee INTEGER NOT NULL, reference TEXT, lines TEXT NOT NULL
  ) STRICT;
  INSERT INTO transports SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value -> 5
    FROM returns, json_each(transports);
  INSERT INTO refunds SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
    value ->> 6, value ->> 7, value -> 8 FROM returns, json_each(refunds);
  ALTER TABLE returns ADD COLUMN transport INTEGER;
  UPDATE returns SET transport = transports ->> '$[#-1][0]';
  ALTER TABLE returns DROP COLUMN transports;
  ALTER TABLE returns DROP COLUMN refunds;
`
