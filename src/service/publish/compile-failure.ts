import { error, type Problem } from '../../item/problem.ts';
import { messageOf } from '../../refusal.ts';

/** The problem of an item whose artefacts or edition could not be written. */
export function compileFailure(code: string, verb: string, cause: unknown): Problem {
  return error(
    code,
    '',
    `Cannot ${verb} the compiled item: ${messageOf(cause)}`,
    'Check free space and permissions of the data directory, then run "bookstall reindex"',
  );
}
