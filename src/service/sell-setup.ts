import { accessSync, constants, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type ProviderApi, secretVariable, setupKeyVariable } from '../config/sales.ts';
import { type Environment, readSecretVariable } from '../config/secret-variable.ts';
import type { Limits } from '../item/limit.ts';
import { addSale } from '../item/manifest.ts';
import { type PaymentProvider, PROVIDER_NAMES } from '../payment-provider.ts';
import { createSetupApi, type SecretFile, SETUPS, type SetUpItem, type Wanted } from '../providers/setup.ts';
import { messageOf, Refusal } from '../refusal.ts';
import { replaceFile } from '../replace-file.ts';
import { addressesOf, listPriced, originProblem, type Priced } from './sell-check.ts';

/** A setup that is asked for. Without slugs it is of everything published that has a price. */
type SetupPlan = {
  readonly provider: PaymentProvider;
  readonly api: ProviderApi;
  readonly slugs: readonly string[];
  readonly content: string;
  readonly data: string;
  readonly limits: Limits;
  readonly origin: string;
  readonly environment: Environment;
  /** In the provider's test mode, which leaves item.yaml alone. */
  readonly isTest: boolean;
  readonly isDryRun: boolean;
  readonly isNewSecret: boolean;
};

/**
 * Makes or finds what a provider needs to sell, and writes the ids into the content and the secret of the webhook into its
 * file, in this order: the secret, then what sells, then item.yaml, then what it replaces is switched off. So a run that
 * was interrupted is completed by the next. Refuses what the provider refuses; what was done before then stays.
 */
export async function setUpSelling(plan: SetupPlan) {
  const { provider, api, origin, isTest, isDryRun } = plan;
  const name = PROVIDER_NAMES[provider];
  const acts = SETUPS[provider];
  const unreachable = originProblem(origin);
  if (unreachable !== null) throw refuse(name, unreachable);
  if (acts === undefined)
    throw refuse(name, 'its API is not written to yet; "bookstall sell check" says what to paste');
  if (acts.isTest(api) !== isTest)
    throw refuse(
      name,
      isTest
        ? `--test needs a key of its test mode; set ${setupKeyVariable(provider)} to one`
        : 'this is a key of its test mode; add --test, which leaves item.yaml alone',
    );
  const { sales, texts } = choose(plan);
  const variable = secretVariable(provider) + (isTest ? '_TEST' : '');
  const hidden = new Set<string>();
  const { file, secret } = openSecret(plan, variable, hidden);
  const setup = createSetupApi(provider, api, hidden, isDryRun);
  const { webhook: url, events, returnUrl } = addressesOf(provider, origin);
  const byHand = [...(await acts.setUpWebhook(setup, { url, events }, secret, plan.isNewSecret))];
  const items = [];
  const changed: string[] = [];
  for (const { priced, isLeft } of sales) {
    const { slug, title, unitAmountCents, currency } = priced;
    const wanted: Wanted = {
      ...priced,
      ids: isTest ? [] : (priced.sell?.[provider] ?? []),
      returnUrl: returnUrl ?? '',
      origin,
    };
    if (isLeft) {
      byHand.push(
        `"${slug}" is sold at ${priced.checkoutUrl} and stays so. To sell it at ${name}, name it: bookstall sell setup ${provider} ${slug}`,
      );
      continue;
    }
    const found = await acts.setUpItem(setup, wanted);
    if (!isTest && !isDryRun && (await writeSale(plan, priced, found, texts))) changed.push(priced.file);
    await found.finish?.();
    byHand.push(...found.byHand);
    items.push({ slug, title, unitAmountCents, currency, id: found.id, checkoutUrl: found.checkoutUrl });
  }
  return {
    ...{ provider, name, isTest, isDryRun, webhook: url, items, changed, byHand, writes: setup.writes },
    /** The file of the secret, and the variable that names it to the server. */
    secret: { variable: `${variable}_FILE`, ...file() },
  };
}

/** What was made, found and changed. No text in it has a key or a secret. */
export type SetupReport = Awaited<ReturnType<typeof setUpSelling>>;

const refuse = (name: string, reason: string): Refusal => Refusal.invalid(`Cannot set up ${name}: ${reason}`);

/** The items to set up. One that is sold elsewhere is left, unless it is named. Refuses a file that could not be written. */
function choose({ provider, content, limits, slugs, isTest }: SetupPlan) {
  const all = listPriced(content, limits);
  const missing = slugs.find((slug) => !all.some((one) => one.slug === slug));
  if (missing !== undefined)
    throw Refusal.invalid(
      `Cannot sell "${missing}": no item or bundle of this slug has a price and no error; run "bookstall check"`,
    );
  const chosen = all.filter(({ slug, status }) =>
    slugs.length > 0 ? slugs.includes(slug) : status === 'published',
  );
  if (chosen.length === 0)
    throw refuse(
      PROVIDER_NAMES[provider],
      'nothing that is published has a price; add "unitAmountCents: 1900" to an item.yaml',
    );
  const texts = new Map<string, string>();
  const sales = chosen.map((priced) => {
    const file = join(content, priced.file);
    const text = onDisk(priced.file, () => {
      if (!isTest) accessSync(file, constants.W_OK);
      return readFileSync(file, 'utf8');
    });
    texts.set(priced.file, text);
    const isElsewhere = priced.checkoutUrl !== null && (priced.sell?.[provider] ?? []).length === 0;
    return { priced, isLeft: isElsewhere && !slugs.includes(priced.slug) };
  });
  return { sales, texts };
}

/** Writes what was found into item.yaml or stall.yaml, and tells whether anything changed. */
async function writeSale(
  { provider, content }: SetupPlan,
  { kind, slug, file, sell, checkoutUrl }: Priced,
  found: SetUpItem,
  texts: Map<string, string>,
): Promise<boolean> {
  const isOurs = checkoutUrl === null || found.formerUrl === null || checkoutUrl.startsWith(found.formerUrl);
  const isNewId = found.id !== null && sell?.[provider].includes(found.id) !== true;
  const sale = {
    provider,
    id: isNewId ? found.id : null,
    checkoutUrl: checkoutUrl === null || (isNewId && isOurs) ? found.checkoutUrl : null,
  };
  if (sale.id === null && sale.checkoutUrl === null) return false;
  const path = onDisk(file, () => realpathSync(join(content, file)));
  const before = onDisk(file, () => readFileSync(path, 'utf8'));
  const text = addSale(before, kind === 'bundle' ? slug : null, sale);
  const lines = Object.values(sale)
    .filter((one) => one !== null)
    .join(' ');
  if (before !== texts.get(file))
    throw Refusal.invalid(
      `Cannot write ${lines} into ${file}: it was changed meanwhile; run the command again, which finds them`,
    );
  texts.set(file, text);
  try {
    await replaceFile(path, text, true, statSync(path).mode & 0o777);
  } catch (error) {
    throw Refusal.storage(
      `Cannot write ${lines} into ${file}: ${messageOf(error)}; let this user write there and run the command again, which finds them`,
    );
  }
  return true;
}

function onDisk<T>(file: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw Refusal.storage(`Cannot write ${file}: ${messageOf(error)}; let this user write there`);
  }
}

/** The secret of the webhook: of its variable, or of the file that `<variable>_FILE` names, which may not be there yet. */
function openSecret(
  { environment, data, provider, isTest, isDryRun }: SetupPlan,
  variable: string,
  hidden: Set<string>,
) {
  const named = String(environment[`${variable}_FILE`] ?? '').trim();
  const file = resolve(named || join(data, `${provider}-webhook-secret${isTest ? '-test' : ''}`));
  const isThere = statSync(file, { throwIfNoEntry: false });
  const isInFile = named !== '' || !environment[variable];
  const value = !isInFile
    ? readSecretVariable(variable, environment)
    : isThere === undefined
      ? null
      : isThere.size === 0
        ? ''
        : readSecretVariable(variable, { [`${variable}_FILE`]: file });
  for (const one of value?.split(',') ?? []) hidden.add(one.trim());
  let isChanged = false;
  const write = async (text: string): Promise<void> => {
    if (!isInFile)
      throw Refusal.invalid(
        `Cannot keep a new secret in the environment: name a file with ${variable}_FILE instead of ${variable}`,
      );
    if (isDryRun) return;
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      await replaceFile(file, text, true);
    } catch (error) {
      throw Refusal.storage(
        `Cannot keep the secret in ${file}: ${messageOf(error)}; name a file with ${variable}_FILE that this user can write`,
      );
    }
  };
  const secret: SecretFile = {
    value,
    begin: () => write(value ?? ''),
    async keep(text) {
      hidden.add(text);
      await write(text);
      isChanged = true;
    },
  };
  return { secret, file: () => ({ file, isNamed: !isInFile || named !== '', isChanged }) };
}
