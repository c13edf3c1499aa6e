-- The commits that items had as git repositories, so that their ids stay the same for good.
CREATE TABLE git_commits (
  kind TEXT NOT NULL CHECK (kind IN ('book', 'skill')),
  item_key TEXT NOT NULL,
  number INTEGER NOT NULL, -- 1 is the item's first
  digest TEXT NOT NULL, -- the edition's
  tree TEXT NOT NULL,
  id TEXT NOT NULL,
  body TEXT NOT NULL, -- the commit as git has it: tree, parents, author, message
  at INTEGER NOT NULL,
  PRIMARY KEY (kind, item_key, number)
) STRICT;
