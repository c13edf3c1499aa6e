import { Parser } from 'htmlparser2';

export type Outcome = 'passed' | 'failed' | 'skipped';

/** One test of a run. `name` is that of its groups and its own, with " > " between. */
export type Result = { readonly file: string; readonly name: string; readonly outcome: Outcome };

/** The tests of a report in the format of JUnit, which `bun test` writes, in its order. */
export function parseReport(xml: string): readonly Result[] {
  const results: { file: string; name: string; outcome: Outcome }[] = [];
  const groups: string[] = [];
  const parser = new Parser(
    {
      onopentag(tag, { name = '', file = '' }) {
        const last = results.at(-1);
        if (tag === 'testsuite') groups.push(name);
        // The first group is the file.
        else if (tag === 'testcase')
          results.push({ file, name: [...groups.slice(1), name].join(' > '), outcome: 'passed' });
        else if (tag === 'failure' && last) last.outcome = 'failed';
        else if (tag === 'skipped' && last) last.outcome = 'skipped';
      },
      onclosetag(tag) {
        if (tag === 'testsuite') groups.pop();
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return results;
}
