-- The versions of items by Semantic Versioning. Each belongs for good to the edition that was first served under it since
-- this table exists; ranges, git tags and the version in plugin.json mean that edition.
CREATE TABLE item_versions (
  kind TEXT NOT NULL CHECK (kind IN ('book', 'skill')),
  item_key TEXT NOT NULL, -- a book's id, a skill's slug
  version TEXT NOT NULL,
  digest TEXT NOT NULL, -- the edition's
  slug TEXT, -- the item's when the commit below was made; null as long as there is none
  commit_id TEXT, -- of the git tag
  commit_body TEXT, -- the commit as git has it: tree, author, message
  texts TEXT, -- the files in the tag that the edition lacks, such as plugin.json: pairs of path and content as JSON
  PRIMARY KEY (kind, item_key, version)
) STRICT;
