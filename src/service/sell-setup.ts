import { accessSync, constants, existsSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type ProviderApi, secretVariable } from '../config/sales.ts';
import { type Environment, readSecretVariable } from '../config/secret-variable.ts';
import type { Limits } from '../item/limit.ts';
import { addSale } from '../item/manifest.ts';
import { type PaymentProvider, PROVIDER_NAMES } from '../payment-provider.ts';
import { createSetupApi, SETUPS, type SetUpItem } from '../providers/setup.ts';
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
  const { provider, api, content, origin, isTest, isDryRun } = plan;
  const acts = SETUPS[provider];
  const problem =
    originProblem(origin) ??
    (acts.isTest(api) === isTest
      ? null
      : `this is a key of its ${isTest ? 'live mode; leave out' : 'test mode; add'} --test, which leaves item.yaml alone`);
  if (problem !== null) throw cannot(provider, problem);
  const sales = await choose(plan);
  const setup = createSetupApi(provider, api, isDryRun);
  const { secret, next } = await openSecret(plan, setup.hide);
  const { webhook: url, events, returnUrl } = addressesOf(provider, origin);
  const byHand = [...(await acts.setUpWebhook(setup, { url, events }, secret, plan.isNewSecret))];
  const items = [];
  for (const priced of sales) {
    const { slug, title, unitAmountCents, currency, checkoutUrl, file } = priced;
    const ids = isTest ? [] : (priced.sell?.[provider] ?? []);
    if (checkoutUrl !== null && ids.length === 0 && !isTest && plan.slugs.length === 0) {
      byHand.push(`"${slug}" is sold at ${checkoutUrl}, and stays so unless you name it after ${provider}`);
      continue;
    }
    const before = await onDisk(file, () => readFileSync(join(content, file), 'utf8'));
    const found = await acts.setUpItem(setup, { ...priced, ids, returnUrl: returnUrl ?? '' });
    if (!isTest && !isDryRun && (await writeSale(plan, priced, found, before)))
      setup.done.push(`Wrote ${file}`);
    await found.finish?.();
    byHand.push(...found.byHand);
    items.push({ slug, title, unitAmountCents, currency, id: found.id, checkoutUrl: found.checkoutUrl });
  }
  return {
    provider,
    test: isTest,
    dryRun: isDryRun,
    webhook: url,
    done: setup.done,
    items,
    byHand,
    next: next(),
  };
}

const cannot = (provider: PaymentProvider, reason: string): Refusal =>
  Refusal.invalid(`Cannot set up ${PROVIDER_NAMES[provider]}: ${reason}`);

/** The items to set up. Refuses a file that could not be written, before anything is made. */
async function choose({ provider, content, limits, slugs, isTest }: SetupPlan): Promise<readonly Priced[]> {
  const all = listPriced(content, limits);
  const missing = slugs.find((slug) => !all.some((one) => one.slug === slug));
  if (missing !== undefined)
    throw cannot(
      provider,
      `"${missing}" is no item or bundle with a price and no error; run "bookstall check"`,
    );
  const chosen = all.filter((one) =>
    slugs.length > 0 ? slugs.includes(one.slug) : one.status === 'published',
  );
  if (chosen.length === 0) throw cannot(provider, 'nothing that is published has a price; give an item one');
  if (!isTest)
    for (const { file } of chosen) await onDisk(file, () => accessSync(join(content, file), constants.W_OK));
  return chosen;
}

/** Writes what was found into item.yaml or stall.yaml, and tells whether anything changed. */
async function writeSale(
  { provider, content }: SetupPlan,
  { kind, slug, file, sell, checkoutUrl }: Priced,
  { id, checkoutUrl: url, formerUrl }: SetUpItem,
  before: string,
): Promise<boolean> {
  const isNew = id !== null && sell?.[provider].includes(id) !== true;
  const isOurs = formerUrl === null || checkoutUrl?.startsWith(formerUrl) === true;
  const button = checkoutUrl === null || (isNew && isOurs) ? url : null;
  if (!isNew && button === null) return false;
  const text = addSale(before, kind === 'bundle' ? slug : null, provider, isNew ? id : null, button);
  await onDisk(file, async () => {
    const path = realpathSync(join(content, file));
    if (readFileSync(path, 'utf8') !== before) throw new Error('it was changed meanwhile');
    await replaceFile(path, text, true, statSync(path).mode & 0o777);
  });
  return true;
}

async function onDisk<T>(file: string, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw Refusal.storage(
      `Cannot write ${file}: ${messageOf(error)}; let this user write it and run the command again, which finds what was made`,
    );
  }
}

/** The secret of the webhook, in its variable or in the file that `<variable>_FILE` names, which may not be there yet. */
async function openSecret(
  { environment, data, provider, isTest, isDryRun }: SetupPlan,
  hide: (secret: string) => void,
) {
  const variable = `${secretVariable(provider)}${isTest ? '_TEST' : ''}`;
  const named = environment[`${variable}_FILE`];
  const file = resolve(String(named || join(data, `${provider}-webhook-secret${isTest ? '-test' : ''}`)));
  const isInFile = !environment[variable];
  const read = () => (existsSync(file) ? readFileSync(file, 'utf8').trim() : null);
  const value = isInFile ? await onDisk(file, read) : readSecretVariable(variable, environment);
  for (const one of value?.split(',') ?? []) hide(one.trim());
  let isNew = false;
  const write = async (text: string): Promise<void> => {
    if (!isInFile)
      throw cannot(provider, `name a file for its new secret with ${variable}_FILE, in place of ${variable}`);
    hide(text);
    if (isDryRun) return;
    await onDisk(file, async () => {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      await replaceFile(file, text, true);
    });
  };
  const keep = async (text: string): Promise<void> => {
    await write(text);
    isNew = true;
  };
  const next = () =>
    isNew
      ? `${named ? 'Restart the server' : 'Start the server with the secret of the webhook'}: ${variable}_FILE=${file} bookstall serve`
      : 'bookstall sell check';
  const make = (): string => {
    const made = Buffer.from(crypto.getRandomValues(new Uint8Array(30))).toString('base64url');
    hide(made);
    return made;
  };
  return { secret: { value, begin: () => write(value ?? ''), keep, make }, next };
}
