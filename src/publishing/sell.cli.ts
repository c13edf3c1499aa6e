import type { Environment } from '../platform/config/secret-variable.ts';
import {
  type Config,
  localOriginOf,
  readConfig,
  readLimits,
  readSetting,
} from '../platform/config/config.ts';
import { besideServer } from '../platform/config/live-config.ts';
import { plain } from '../platform/cli/terminal-text.ts';
import { readerOf } from '../selling/providers/provider-product.ts';
import {
  examineSetup,
  findMixedBundles,
  listSellings,
  originProblem,
  type ProviderSetup,
} from './sell-check.ts';
import { TEST_DELIVERIES, type TestDelivery } from './sell-test.ts';
import { setUpSelling } from './sell-setup.ts';
import { formatPrice } from '../catalog/price.rule.ts';
import { keyVariable, readSetupApi, secretVariable } from '../platform/config/sales.ts';
import { readUsage, type Terminal, UsageError, command } from '../platform/cli/command.ts';
import { readEmail } from '../platform/base/email-address.ts';
import {
  isPaymentProvider,
  isSigning,
  PAYMENT_PROVIDERS,
  PROVIDER_NAMES,
  SIGNING_PROVIDERS,
  type SigningProvider,
} from '../words/payment-provider.ts';
import { messageOf, Refusal } from '../platform/base/refusal.ts';
import { describeOrder, findOrderByKey, nameSale } from '../selling/order.ts';
import { asOwner, becomeOwner } from '../platform/store/data-directory.ts';
import { readServerState } from '../platform/store/server-note.ts';
import { type AdminCommand, adminCommand, findOrigin, openAdmin } from '../platform/cli/admin-command.ts';
import type { Store } from './stall.ts';
import { settings } from '../platform/cli/settings.ts';
import { counted, listed } from '../platform/base/text.ts';
import { returnUrlOf } from '../selling/claim.rule.ts';

export const sellCheckCommand: AdminCommand<Store> = (open) =>
  command({
    name: 'sell check',
    summary: 'Say what is missing before sales can begin',
    about: 'It also says what to paste at each payment provider. The exit code is 1 if something is missing.',
    flags: settings('content', 'data', 'base-url'),
    async run(input, terminal) {
      const { flags } = input;
      const given = readUsage(() => readConfig(flags, terminal, { needsKey: false }));
      becomeOwner(given.data);
      const config = besideServer(given);
      const origin = findOrigin(input, terminal);
      // If the stall's data cannot be opened, the check leaves out past sales.
      const office = await openAdmin(open, given.data).catch(() => null);
      const setups = await examineSetup(
        { sales: config.sales, sellings: listSellings(config), origin },
        {
          readerOf: (provider) => readerOf(config.sales, provider),
          lastSales: async (provider, product) => office?.store.listLastSales(provider, product) ?? [],
        },
      );
      await office?.close();
      const mail = await greetMail(config);
      const unreachable = setups.length === 0 ? null : originProblem(origin);
      const mixed = findMixedBundles(config);
      const problems = [unreachable, mail.problem, ...mixed].filter((problem) => problem !== null);
      if (terminal.isJson) terminal.json({ origin, mail: mail.said, problems, providers: setups });
      else writeSetups(terminal, setups, { mail: mail.said, problems });
      const isReady =
        setups.length > 0 && [...problems, ...setups.flatMap((one) => one.problems)].length === 0;
      return isReady;
    },
  });

type MailState = { readonly said: string; readonly problem: string | null };

/**
 * Signs in to the mail server as a test, and sends nothing. A stall may have none, since buyers return to it from the
 * checkout.
 */
async function greetMail({ mail }: Config): Promise<MailState> {
  if (mail === null)
    return { said: 'not set (BOOKSTALL_SMTP_URL): links are copied by hand in the office', problem: null };
  const { createMailer } = await import('../mailing/mailer.ts');
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
      'Nothing is sold at a payment provider yet. "bookstall sell setup stripe" makes what is needed, or name its id in an item.yaml: sell: {stripe: [plink_…]}\n',
    );
  else err(count === 0 ? 'Sales can begin\n' : `${counted(count, 'thing')} to do\n`);
}

function describe(setup: ProviderSetup): readonly string[] {
  const { provider, name, webhook, events, returnUrl, products, problems } = setup;
  return [
    name,
    `  Secret            ${secretLine(setup)}`,
    `  API key           ${setup.hasKey ? `set (${keyVariable(provider)})` : `not set (${keyVariable(provider)}): its ids and prices were not looked up`}`,
    `  ${isSigning(provider) ? 'Webhook address  ' : 'Ping address     '} ${webhook}`,
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

export const sellSetupCommand = command({
  name: 'sell setup',
  synopsis: 'PROVIDER [SLUG…]',
  summary: 'Make what a payment provider needs, and note its ids',
  about: `PROVIDER is ${listed(PAYMENT_PROVIDERS)}. Its key is in the environment of this command alone, such as BOOKSTALL_STRIPE_SETUP_KEY. The ids are written into item.yaml.`,
  flags: {
    '--new-secret': 'replace the secret of the webhook, as when it was lost',
    '--test': "set up the provider's test mode, and leave item.yaml alone",
    '--dry-run':
      'ask the provider what is there, show each request that would change it, and send none of those',
    ...settings('content', 'data', 'base-url'),
  },
  examples: ['bookstall sell setup stripe --base-url https://stall.example.org --dry-run'],
  async run(input, terminal) {
    const { flags, words } = input;
    const { environment } = terminal;
    const [provider = '', ...slugs] = words;
    if (!isPaymentProvider(provider))
      throw new UsageError(`Cannot set up "${provider}": give ${listed(PAYMENT_PROVIDERS)}`);
    const data = readSetting('data', flags, environment);
    const report = await setUpSelling({
      provider,
      slugs,
      environment,
      data,
      api: readSetupApi(provider, environment),
      content: readSetting('content', flags, environment),
      limits: readUsage(() => readLimits(flags, environment)),
      origin: await asOwner(data, () => findOrigin(input, terminal)),
      isTest: input.has('test'),
      isDryRun: input.has('dry-run'),
      isNewSecret: input.has('new-secret'),
    });
    const { done, items, byHand, next } = report;
    const lines = [
      ...(done.length === 0 ? ['Nothing changed'] : done),
      ...items.map(({ slug, unitAmountCents, currency, id, checkoutUrl }) =>
        [slug, formatPrice(unitAmountCents, currency), id ?? '-', checkoutUrl ?? '-'].join('  '),
      ),
      ...byHand.map((one) => `By hand: ${one}`),
      input.has('dry-run') ? 'Nothing was sent: this was a dry run' : `Next: ${next}`,
    ];
    terminal.result(report, lines.map(plain).join('\n'));
  },
});

const TIMEOUT = 10_000;

export const sellTestCommand: AdminCommand<Store> = adminCommand({
  name: 'sell test',
  synopsis: 'PROVIDER SLUG --email EMAIL',
  summary: 'Sell an item without money, through the running stall',
  about: `It signs a sale with the live secret of ${listed(SIGNING_PROVIDERS)}, and delivers it.`,
  flags: {
    '--email EMAIL': 'the address of the pretended buyer',
    '--copies N': 'how many copies they buy',
    ...settings('content', 'base-url'),
  },
  examples: [
    'bookstall sell test stripe field-notes --email you@example.org',
    'bookstall sell test stripe field-notes --email team@example.org --copies 5',
  ],
  async run(office, input, terminal) {
    const { flags, words } = input;
    const [provider = '', slug = ''] = words;
    const given = input.text('email');
    if (given === null) throw new UsageError('Cannot sell to nobody: name the buyer with --email');
    const email = readEmail(given);
    const copies = Number(input.text('copies') ?? 1);
    if (!(Number.isInteger(copies) && copies > 0 && copies < 1e6))
      throw new UsageError('Cannot sell so many copies: give --copies a whole number from 1 on');
    if (!isSigning(provider))
      throw new UsageError(`Cannot test a sale of "${provider}": give ${listed(SIGNING_PROVIDERS)}`);
    const config = besideServer(readUsage(() => readConfig(flags, terminal, { needsKey: false })));
    const delivery = makeDelivery(config, provider, slug, { email, copies });
    await deliver(delivery, provider, findServer(flags, terminal.environment));
    const order = findOrderByKey(office, provider, delivery.key);
    const returnUrl = returnUrlOf(provider, findOrigin(input, terminal), delivery.returnId);
    const shown = describeOrder(order, Date.now());
    const { ref } = order;
    terminal.result(
      { ...shown, returnUrl },
      `Order ${nameSale(order)} is ${shown.state}.\nThe buyer returns to ${returnUrl}\nTo undo it: bookstall orders refund ${ref}, then bookstall orders erase ${ref}`,
    );
  },
});

function makeDelivery(
  config: Config,
  provider: SigningProvider,
  slug: string,
  { email, copies }: { readonly email: string; readonly copies: number },
): TestDelivery {
  const name = PROVIDER_NAMES[provider];
  const cannot = (reason: string): Refusal =>
    Refusal.invalid(`Cannot test a sale of "${slug}" by ${name}: ${reason}`);
  const selling = listSellings(config).find((one) => one.slug === slug);
  const product = selling?.sell[provider][0];
  if (selling === undefined || product === undefined)
    throw cannot(
      `nothing with this slug names an id of ${name}; add "sell: {${provider}: [id]}" to its item.yaml`,
    );
  const secret = config.sales.secrets[provider].live[0];
  if (secret === undefined)
    throw cannot(`${secretVariable(provider)} is not set in this environment; set it as for the server`);
  const { unitAmountCents: amount, currency } = selling;
  const sale = { product, copies, email, amount: amount * copies, currency, at: Date.now() };
  return TEST_DELIVERIES[provider](sale, secret);
}

/** Returns the address at which the stall on this machine listens; the test uses it to bypass any proxy. */
function findServer(flags: Environment, environment: Environment): string {
  const server = readServerState(readSetting('data', flags, environment));
  if (server.state !== 'running' || server.note === null)
    throw Refusal.invalid(
      'Cannot deliver a sale: no server runs on this data directory; start it with "bookstall serve"',
    );
  const { settings } = server.note;
  return localOriginOf(readSetting('host', settings, {}), readSetting('port', settings, {}));
}

async function deliver({ body, headers }: TestDelivery, provider: SigningProvider, origin: string) {
  const answer = await fetch(`${origin}/webhooks/${provider}`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT),
  }).catch((error: unknown) => messageOf(error));
  if (typeof answer !== 'string' && answer.status === 200) return;
  const said = typeof answer === 'string' ? answer : `it answered ${answer.status}`;
  throw Refusal.invalid(
    `Cannot deliver a sale to ${origin}: ${said}; start the server with the same ${secretVariable(provider)} and BOOKSTALL_SALES=live`,
  );
}
