import { type Config, readConfig } from '../../config.ts';
import { plain } from '../../client/terminal-text.ts';
import { readerOf } from '../../providers/readers.ts';
import { examineSetup, listSellings, originProblem, type ProviderSetup } from '../../service/sell-check.ts';
import { keyVariable, secretVariable } from '../../sales-config.ts';
import { type Command, DONE, FAILED, readUsage, SWITCH, type Terminal, TEXT } from '../command.ts';
import { findOrigin } from './origin.ts';
import { printableJson } from '../../item/problem.ts';

export const sellCheckCommand: Command = {
  name: 'sell check',
  synopsis: '[--content DIR] [--data DIR] [--base-url URL]',
  summary: 'Say what is missing before sales make grants, and what to paste at each payment provider',
  options: { content: TEXT, data: TEXT, 'base-url': TEXT, json: SWITCH },
  words: [0, 0],
  async run({ flags }, terminal) {
    const config = readUsage(() => readConfig(flags, terminal.environment, terminal.isTerminal, false));
    const origin = findOrigin(flags, terminal);
    const setups = await examineSetup(
      config.sales,
      listSellings(config.content, config.limits),
      origin,
      (provider) => readerOf(config.sales, provider),
    );
    const mail = await greetMail(config);
    const unreachable = setups.length === 0 ? null : originProblem(origin);
    const problems = [unreachable, mail.problem].filter((problem) => problem !== null);
    if (flags['json'] === true)
      terminal.out(`${printableJson({ origin, mail: mail.said, problems, providers: setups })}\n`);
    else writeSetups(terminal, setups, { mail: mail.said, problems });
    const isReady = setups.length > 0 && [...problems, ...setups.flatMap((one) => one.problems)].length === 0;
    return isReady ? DONE : FAILED;
  },
};

type MailState = { readonly said: string; readonly problem: string | null };

/** Signs in to the mail server and sends nothing. A stall without mail is complete: buyers return by themselves. */
async function greetMail({ mail }: Config): Promise<MailState> {
  if (mail === null)
    return { said: 'not set (BOOKSTALL_SMTP_URL): links are copied by hand in the office', problem: null };
  const { createMailer } = await import('../../mail/mailer.ts');
  const reason = await createMailer({ config: mail, senderName: () => 'Bookstall' }).greet();
  const server = `${mail.host}:${mail.port}`;
  if (reason === null) return { said: `${server} takes mail from ${mail.from}`, problem: null };
  return {
    said: `${server} takes none: ${reason}`,
    problem: `The mail server ${server} takes no mail: ${reason}. Correct BOOKSTALL_SMTP_URL`,
  };
}

function writeSetups(
  { out, err }: Terminal,
  setups: readonly ProviderSetup[],
  { mail, problems }: { readonly mail: string; readonly problems: readonly string[] },
): void {
  for (const setup of setups) out(`${describe(setup).map(plain).join('\n')}\n\n`);
  if (setups.length > 0) out(`Mail: ${plain(mail)}\n`);
  for (const problem of problems) out(`!  ${plain(problem)}\n`);
  const count = problems.length + setups.reduce((sum, one) => sum + one.problems.length, 0);
  if (setups.length === 0)
    err(
      'Nothing is sold at a payment provider yet. Name its id in an item.yaml: sell: {stripe: [plink_…]}\n',
    );
  else err(count === 0 ? 'Sales can begin\n' : `${count} ${count === 1 ? 'thing' : 'things'} to do\n`);
}

function describe(setup: ProviderSetup): readonly string[] {
  const { provider, name, webhook, events, returnUrl, products, problems } = setup;
  const isGumroad = provider === 'gumroad';
  return [
    name,
    `  Secret            ${secretLine(setup)}`,
    `  API key           ${setup.hasKey ? `set (${keyVariable(provider)})` : `not set (${keyVariable(provider)}): its ids and prices were not looked up`}`,
    `  ${isGumroad ? 'Ping address     ' : 'Webhook address  '} ${webhook}`,
    `  Events            ${events.join(' ')}`,
    returnUrl === null
      ? '  After buying      the licence key, entered at /claim'
      : `  After buying      ${returnUrl}`,
    ...products.map(
      ({ id, slug, price, seen }) =>
        `  ${id}  ${slug}, ${price}${seen === null ? '' : `; at ${name}: ${seen}`}`,
    ),
    ...problems.map((problem) => `  !  ${problem}`),
  ];
}

function secretLine({ provider, secrets, testSecrets }: ProviderSetup): string {
  const variable = secretVariable(provider);
  const tests = testSecrets === 0 ? '' : `, and ${testSecrets} for tests`;
  return secrets === 0
    ? `not set (${variable})${tests}`
    : `${secrets === 1 ? 'set' : `${secrets} secrets set`} (${variable}${tests})`;
}
