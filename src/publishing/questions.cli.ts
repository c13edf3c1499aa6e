import { readConfig, readLimits, readSetting } from '../platform/config/config.ts';
import { priceOf } from '../platform/config/model.ts';
import { plain, plainLines } from '../platform/cli/terminal-text.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { causeOf } from '../asking/engines/failure-cause.ts';
import { type Named, readBookSections } from './local-book.ts';
import { planQuestions, type QuestionPlan, writeQuestions } from './question-writing.ts';
import { counted } from '../platform/base/text.ts';
import { command, type Input, type Output, readUsage } from '../platform/cli/command.ts';
import { confirm } from '../platform/cli/confirm.ts';
import { settings } from '../platform/cli/settings.ts';

export const questionsCommand = command({
  name: 'questions',
  synopsis: 'SLUG',
  summary: 'Let a model write the questions that sections answer',
  about:
    "They stand in questions.yaml beside item.yaml, in readers' words, and their sections are found by them. The model of BOOKSTALL_ENGINE is asked once for each section that has none; what that takes is said first. The skill write-questions tells a coding agent how to write them.",
  flags: {
    '--sections': 'print every section with its questions, as questions.yaml names them',
    '--print': 'print the prompts, and ask no model',
    '--yes': 'write without asking first',
    ...settings('content', 'max-files', 'max-bytes'),
  },
  examples: ['bookstall questions field-notes', 'bookstall questions field-notes --sections'],
  async run(input, terminal) {
    const { flags, word: slug, has } = input;
    const content = readSetting('content', flags, terminal.environment);
    const limits = readUsage(() => readLimits(flags, terminal.environment));
    const named = { content, slug, limits };
    return has('sections') ? listSections(named, terminal) : writeMissing(named, input, terminal);
  },
});

function listSections(named: Named, terminal: Output): void {
  const { sections: all } = readBookSections(named);
  const sections = all.filter(({ hasText }) => hasText);
  if (terminal.isJson)
    return terminal.json(
      sections.map(({ key, title, level, questions }) => ({ key, title, level, questions })),
    );
  for (const { key, title, level, hasText, questions } of all) {
    const heading = `# ${'  '.repeat(level - 1)}${plain(title)}`;
    if (hasText) terminal.out(`${plain(key)}:  ${heading}\n`);
    else if (title !== '') terminal.out(`${heading}\n`);
    for (const question of questions) terminal.out(`  - ${plain(question)}\n`);
  }
  const bare = sections.filter(({ questions }) => questions.length === 0).length;
  terminal.err(`${bare} of ${sections.length} sections have no questions\n`);
}

async function writeMissing(
  named: Named,
  { flags, has }: Input<'print' | 'yes'>,
  terminal: Output,
): Promise<boolean> {
  const { environment, isTerminal, err } = terminal;
  const { model } = readUsage(() =>
    readConfig(flags, { environment, isTerminal }, { needsKey: !has('print') }),
  );
  const plan = planQuestions(named, model);
  if (has('print')) terminal.result(plan.sections, plainLines(promptsOf(plan)));
  else if (model === null) throw Refusal.invalid(NO_MODEL);
  if (has('print') || model === null) return true;
  const cost = priceOf(model.prices, plan.inputTokens, plan.outputTokens);
  err(
    `${counted(plan.sections.length, 'section')} without questions, each a request to "${model.model}": in all about ${plan.inputTokens} tokens to read and ${plan.outputTokens} to write${cost === null ? '' : `, which cost ${cost.toFixed(2)}`}\n`,
  );
  if (plan.sections.length > 0 && !has('yes'))
    await confirm(terminal, 'Ask the model?', 'no model was asked');
  let skipped = 0;
  for await (const one of writeQuestions(plan, model, (entry) => err(`${plain(causeOf(entry))}\n`))) {
    const found = one.questions.length;
    const said = found === 0 ? 'skipped, nothing usable was written' : counted(found, 'question');
    terminal.result(one, `${plain(one.key)}: ${said} (tokens: ${one.inputTokens}, ${one.outputTokens})`);
    skipped += Number(found === 0);
  }
  return skipped === 0;
}

const NO_MODEL =
  'Cannot write questions without a model: set BOOKSTALL_ENGINE and BOOKSTALL_MODEL, or have a coding agent write them by the skill write-questions; --print prints the prompts for use elsewhere';

const promptsOf = ({ sections }: QuestionPlan): string =>
  [...new Set(sections.flatMap(({ prompt }) => [prompt.system, prompt.content[0]?.text]))].join('\n\n');
